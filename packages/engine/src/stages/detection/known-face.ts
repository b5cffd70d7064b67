import { faceBox, type Mesh } from '../mesh/mesh.ts';
import type { FoundFace } from './find-faces.ts';

/** Values of four key points, and of 468 points in space. */
const KEYPOINTS = 8;
const MESH = 1404;

/**
 * A face that was found, as numbers: box, side, score and key points of its detection, score and points of its mesh, and
 * the points of the mean mesh of its narrow crops.
 */
export function numbersOf({ detection, mesh }: FoundFace, narrow: Mesh): Float32Array {
  const { box, side, score, keypoints } = detection;
  const places = keypoints.slice(0, KEYPOINTS / 2).flatMap(({ x, y }) => [x, y]);
  const head = [box.x, box.y, box.width, box.height, side, score, ...places, mesh.score];
  return Float32Array.from([...head, ...mesh.points, ...narrow.points]);
}

/** The face of `numbersOf`. @throws RangeError for another count of numbers */
export function faceOf(numbers: Float32Array): FoundFace {
  const [x = 0, y = 0, width = 0, height = 0, side = 0, score = 0] = numbers;
  const places = numbers.subarray(6, 6 + KEYPOINTS);
  const at = 6 + KEYPOINTS + 1;
  if (numbers.length !== at + 2 * MESH) throw new RangeError(`A known face has ${at + 2 * MESH} numbers.`);
  const meshAt = (from: number): Mesh => ({
    points: numbers.slice(from, from + MESH),
    score: numbers[at - 1]!,
  });
  const mesh = meshAt(at);
  const keypoints = Array.from({ length: KEYPOINTS / 2 }, (_, i) => ({
    x: places[2 * i]!,
    y: places[2 * i + 1]!,
  }));
  const detection = { box: { x, y, width, height }, side, score, keypoints };
  return { detection, mesh, box: faceBox(mesh), narrow: meshAt(at + MESH) };
}
