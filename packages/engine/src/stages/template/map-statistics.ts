/**
 * Mean and standard deviation of each channel of a feature map over all its places.
 * @param map [height × width, channels]
 * @returns the means of all channels, then their deviations
 */
export function mapStatistics(map: Float32Array, channels: number): Float32Array {
  const places = map.length / channels;
  const statistics = new Float32Array(2 * channels);
  for (let channel = 0; channel < channels; channel++) {
    let [sum, squares] = [0, 0];
    for (let at = channel; at < map.length; at += channels) {
      const value = map[at]!;
      sum += value;
      squares += value * value;
    }
    const mean = sum / places;
    statistics[channel] = mean;
    statistics[channels + channel] = Math.sqrt(Math.max(0, squares / places - mean * mean));
  }
  return statistics;
}
