/**
 * The screen while a session runs: the whole viewport, with instruction, camera, oval, hint and Cancel in view at once.
 * Upright: one below the other. Wide: Cancel beside the instruction. Low, as a phone on its side: two columns.
 */
export const liveLayout = `
dialog {
  position: fixed; inset: 0; width: 100vw; height: 100vh; height: 100dvh; max-width: none; max-height: none;
  margin: 0; padding: 0; border: 0; overflow: hidden; overscroll-behavior: contain; touch-action: pinch-zoom;
  background: var(--_surface); color: var(--_text); font: 400 1rem/1.5 var(--_font);
}
dialog::backdrop { background: var(--_surface); }
.live {
  display: grid; height: 100%; min-height: 0; gap: 0 12px;
  grid: "panel" auto "stage" minmax(0, 1fr) "cancel" auto / minmax(0, 1fr);
  padding: env(safe-area-inset-top) env(safe-area-inset-right) env(safe-area-inset-bottom) env(safe-area-inset-left);
}
.panel { grid-area: panel; display: flex; align-items: center; gap: 14px; padding: 8px 16px; min-height: 88px; }
.stage { grid-area: stage; }
.cancel { grid-area: cancel; margin: 8px 16px; width: auto; }
.step-icon { flex: none; width: 68px; height: 68px; color: var(--_accent); display: grid; place-items: center; }
.lines { flex: 1; min-width: 0; }
.instruction { font-size: 1.25rem; line-height: 1.25; font-weight: 650; text-wrap: balance; }
.meta { display: flex; gap: 4px 16px; flex-wrap: wrap; min-height: 1.5em; font-size: .875rem; color: var(--_muted); }
.time { font-variant-numeric: tabular-nums; }
.stage { position: relative; min-height: 0; background: #0c1115; overflow: hidden; }
video { position: absolute; inset: 0; width: 100%; height: 100%; object-fit: cover; transform: scaleX(-1); }
.off video, .off .guide { visibility: hidden; }
.guide { position: absolute; inset: 0; width: 100%; height: 100%; overflow: visible; }
.scrim { fill: #0c1115; fill-opacity: .58; }
.rim, .done { fill: none; stroke-width: 5; }
.rim { stroke: #ffffff; stroke-opacity: .55; }
.done { stroke: #4fe0a0; }
.seen .rim { stroke: #4fe0a0; stroke-opacity: 1; }
.hint, .number, .movement { position: absolute; left: 50%; transform: translateX(-50%); color: #fff; text-align: center; }
.hint {
  bottom: 12px; width: max-content; max-width: calc(100% - 24px); padding: 6px 18px; border-radius: 20px;
  background: #0c1115; font-weight: 600; text-wrap: balance;
}
.number {
  top: 10px; width: 60px; height: 60px; border-radius: 50%; background: #0c1115; border: 3px solid #4fe0a0;
  font-size: 2rem; line-height: 54px; font-weight: 700; font-variant-numeric: tabular-nums;
}
.movement {
  bottom: 64px; width: 9rem; padding: 8px; border-radius: 20px; background: #0c1115d0; font-weight: 600;
  pointer-events: none;
}
.movement .icon { color: #4fe0a0; height: min(8rem, 28vh); }
.judging { position: absolute; inset: 0; display: grid; place-content: center; justify-items: center; gap: 12px; padding: 16px; color: #fff; text-align: center; }
progress { width: min(18rem, 70vw); height: 10px; accent-color: #4fe0a0; }
/* Above everything of the page; no transition, so that the colour changes at once. */
.cover { position: fixed; inset: 0; z-index: 1; cursor: none; }
@media (min-aspect-ratio: 1/1) {
  .live {
    width: min(100%, calc((100dvh - 88px) * 4 / 3)); margin-inline: auto;
    grid: "panel cancel" auto "stage stage" minmax(0, 1fr) / minmax(0, 1fr) auto;
  }
  .cancel { align-self: center; margin: 8px 16px 8px 0; }
  .stage { border-radius: var(--_radius) var(--_radius) 0 0; }
}
@media (min-aspect-ratio: 1/1) and (max-height: 520px) {
  .live {
    width: 100%;
    grid: "stage panel" minmax(0, 1fr) "stage cancel" auto / minmax(0, 1fr) minmax(220px, 36%);
  }
  .panel { flex-direction: column; align-items: stretch; justify-content: center; padding: 12px 16px 12px 0; overflow-y: auto; }
  .panel .lines { flex: none; }
  .cancel { align-self: end; }
  .stage { border-radius: 0; }
}
`;
