export type Sound = ReturnType<typeof createSound>;

/** A tone and a vibration when a step is done, for people with closed eyes. */
export function createSound(isMuted: () => boolean) {
  let context: AudioContext | undefined;
  return {
    /** Called on a press of a button: browsers allow sound only after one. */
    allow() {
      if (isMuted() || typeof AudioContext === 'undefined') return;
      try {
        context ??= new AudioContext();
        context.resume().catch(() => undefined);
      } catch {
        // No audio device is free: the session goes on without a tone.
      }
    },
    tone() {
      if (isMuted()) return;
      // Browsers log a warning before the first activation.
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
    /** Gives the audio device back. */
    release() {
      context?.close().catch(() => undefined);
      context = undefined;
    },
  };
}
