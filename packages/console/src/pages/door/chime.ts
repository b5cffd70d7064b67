/** Frequencies in hertz of the two tones, seconds each. */
const tones = {
  yes: { hertz: [660, 990], seconds: 0.12 },
  no: { hertz: [220, 175], seconds: 0.22 },
} as const;
const volume = 0.2;

/** Plays two tones: rising for yes, low and falling for no. */
export function chime(audio: AudioContext, which: keyof typeof tones): void {
  const { hertz, seconds } = tones[which];
  hertz.forEach((frequency, index) => {
    const start = audio.currentTime + index * seconds;
    const tone = new OscillatorNode(audio, { type: which === 'yes' ? 'sine' : 'triangle', frequency });
    const gain = new GainNode(audio, { gain: volume });
    // A sudden end would click.
    gain.gain.setTargetAtTime(0, start + seconds * 0.7, seconds / 8);
    tone.connect(gain).connect(audio.destination);
    tone.start(start);
    tone.stop(start + seconds * 1.5);
  });
}
