/** Values of a batch: [batch, channels, height, width]. */
interface Values {
  readonly data: Float32Array;
  readonly dims: readonly number[];
}

/** A quantised value in the engine's format. */
interface Quantised {
  readonly range: readonly [number, number];
  /** Base64 of the channels' means, in 255ths of the range. */
  readonly means: string;
}

interface Seen {
  /** Lowest and highest value of each picture. */
  readonly lowest: number[];
  readonly highest: number[];
  /** Sums over the pictures of each channel's mean. */
  readonly sums: Float64Array;
}

/** Of this share of the pictures no value is clipped at an end of a range. */
const SHARE = 0.75;

/** Ranges and means of the activations of a network, over pictures. */
export class ActivationStatistics {
  readonly #seen: Map<string, Seen | null>;

  constructor(names: readonly string[]) {
    this.#seen = new Map(names.map((name) => [name, null]));
  }

  add(outputs: Readonly<Record<string, Values>>): void {
    for (const [name, before] of this.#seen) {
      const { data, dims } = outputs[name]!;
      const [batch = 1, channels = 1] = dims;
      const seen = before ?? { lowest: [], highest: [], sums: new Float64Array(channels) };
      this.#seen.set(name, seen);
      const size = data.length / batch;
      for (let i = 0; i < batch; i++) addPicture(seen, data.subarray(i * size, (i + 1) * size));
    }
  }

  /** Ranges include 0, which is the value of padding. */
  values(): Record<string, Quantised> {
    const entries = [...this.#seen].map(([name, seen]) => {
      if (!seen) throw new Error(`no picture has a value ${name}`);
      return [name, quantised(seen)] as const;
    });
    return Object.fromEntries(entries);
  }
}

function addPicture({ lowest, highest, sums }: Seen, picture: Float32Array): void {
  const plane = picture.length / sums.length;
  let [low, high] = [0, 0];
  for (let channel = 0, at = 0; channel < sums.length; channel++) {
    let sum = 0;
    for (let i = 0; i < plane; i++, at++) {
      const value = picture[at]!;
      sum += value;
      if (value < low) low = value;
      if (value > high) high = value;
    }
    sums[channel]! += sum / plane;
  }
  lowest.push(low);
  highest.push(high);
}

function quantised({ lowest, highest, sums }: Seen): Quantised {
  const lower = -quantile(lowest.map((value) => -value));
  const upper = quantile(highest);
  const means = Uint8Array.from(sums, (sum) => {
    const share = (sum / lowest.length - lower) / (upper - lower);
    return Math.round(255 * Math.min(1, Math.max(0, share)));
  });
  const round = (value: number) => Number(value.toPrecision(4)) + 0;
  return { range: [round(lower), round(upper)], means: Buffer.from(means).toString('base64') };
}

function quantile(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil(SHARE * sorted.length) - 1]!;
}
