/** What moves; for those who want less motion, nothing does, and the icons show the end of their motion. */
export const motion = `
.features, .lid, .gape, .arrow { transform-box: view-box; transform-origin: 32px 32px; }
.icon[data-step="face left"] .features { transform: translateX(-6px); }
.icon[data-step="face right"] .features { transform: translateX(6px); }
.icon[data-step="face up"] .features { transform: translateY(-9px); }
.icon[data-step="face down"] .features { transform: translateY(6px); }
@media (prefers-reduced-motion: no-preference) {
  .icon:not([data-step="face front"]) .features { animation: turn 1.8s ease-in-out infinite; }
  .arrow { animation: fade 1.8s ease-in-out infinite; }
  .gape { transform-origin: 32px 45px; animation: gape 1.8s ease-in-out infinite; }
  .lid { transform-origin: 32px 28px; animation: fade 1.8s ease-in-out infinite; }
  .spinner { animation: spin 1s linear infinite; }
  .done { transition: stroke-dasharray .4s ease-out; }
  .rim { transition: stroke .15s; }
  .mark { animation: pop .25s ease-out; }
}
@keyframes turn { 0%, 15% { transform: none; } }
@keyframes fade { 0%, 15% { opacity: .15; } }
@keyframes gape { 0%, 15% { transform: scale(.9, .15); } }
@keyframes spin { to { transform: rotate(1turn); } }
@keyframes pop { from { transform: scale(.6); opacity: 0; } }
`;
