/** The n-th smallest of some values, 0 the least; quickselect, which reorders them. */
export function nthSmallest(values: Float32Array | Float64Array, n: number): number {
  let [from, to] = [0, values.length - 1];
  while (from < to) {
    const pivot = values[(from + to) >> 1]!;
    let [left, right] = [from, to];
    while (left <= right) {
      while (values[left]! < pivot) left++;
      while (values[right]! > pivot) right--;
      if (left > right) break;
      const value = values[left]!;
      values[left++] = values[right]!;
      values[right--] = value;
    }
    if (n <= right) to = right;
    else if (n >= left) from = left;
    else break;
  }
  return values[n]!;
}
