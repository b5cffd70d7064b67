/** Rows of the upper half of the map: brow and eyes; nose, mouth and chin lie below. */
const UPPER = 4;

/**
 * Mean and standard deviation of each channel of a square feature map over its upper and its lower half: what covers the
 * lower half of a face changes the one and not the other.
 * @param map [height × width, channels]
 * @returns means of the upper half by channel, then its deviations, then the same of the lower half
 */
export function mapStatistics(map: Float32Array, channels: number): Float32Array {
  const border = UPPER * Math.sqrt(map.length / channels) * channels;
  const statistics = new Float32Array(4 * channels);
  [map.subarray(0, border), map.subarray(border)].forEach((half, i) => {
    const own = statistics.subarray(2 * i * channels);
    for (let channel = 0; channel < channels; channel++) {
      const [mean, deviation] = momentsOf(half, channel, channels);
      own[channel] = mean;
      own[channels + channel] = deviation;
    }
  });
  return statistics;
}

function momentsOf(map: Float32Array, channel: number, channels: number): [mean: number, deviation: number] {
  let [sum, squares] = [0, 0];
  for (let at = channel; at < map.length; at += channels) {
    const value = map[at]!;
    sum += value;
    squares += value * value;
  }
  const places = map.length / channels;
  const mean = sum / places;
  return [mean, Math.sqrt(Math.max(0, squares / places - mean * mean))];
}
