/** Tells by ear and touch that a step was seen: who was asked to close their eyes cannot see it. */
export interface Sound {
  /** To be called when the person presses a button: only then may a page make sounds. */
  allow(): void;
  tone(): void;
}

export function createSound(isMuted: () => boolean): Sound {
  let context: AudioContext | undefined;
  return {
    allow() {
      if (isMuted() || typeof AudioContext === 'undefined') return;
      context ??= new AudioContext();
      void context.resume().catch(() => undefined);
    },
    tone() {
      if (isMuted()) return;
      // Before anything was touched browsers forbid it, and complain.
      if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(60);
      if (context?.state !== 'running') return;
      const [oscillator, gain, now] = [context.createOscillator(), context.createGain(), context.currentTime];
      oscillator.frequency.value = 880;
      gain.gain.setValueAtTime(0.12, now);
      gain.gain.exponentialRampToValueAtTime(0.001, now + 0.18);
      oscillator.connect(gain).connect(context.destination);
      oscillator.start(now);
      oscillator.stop(now + 0.2);
    },
  };
}
