import { EVD, Matrix } from 'ml-matrix';

/** Eigenvalues, descending, and the unit eigenvectors in the same order: vector i is `vectors[i * size …]`. */
export interface Eigen {
  readonly values: Float64Array;
  readonly vectors: Float64Array;
}

/**
 * Eigenvalues and eigenvectors of a symmetric matrix, row-major.
 * @throws RangeError for values that are not finite: the decomposition would not end
 */
export function symmetricEigen(symmetric: Float64Array, size: number): Eigen {
  if (!symmetric.every(Number.isFinite)) throw new RangeError('the matrix has values that are not finite');
  const { realEigenvalues: ascending, eigenvectorMatrix } = new EVD(
    Matrix.from1DArray(size, size, symmetric),
    { assumeSymmetric: true },
  );
  const vectors = new Float64Array(size * size);
  for (let i = 0; i < size; i++) vectors.set(eigenvectorMatrix.getColumn(size - 1 - i), i * size);
  return { values: Float64Array.from(ascending).reverse(), vectors };
}
