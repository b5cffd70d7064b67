import { InvalidArgumentError } from 'commander';

/** A parser of an argument that is one of a few words. */
export function oneOf<const Word extends string>(words: readonly Word[]): (given: string) => Word {
  return (given) => {
    const found = words.find((word) => word === given);
    if (found !== undefined) return found;
    const listed = words.length > 2 ? `one of ${words.join(', ')}` : words.join(' or ');
    throw new InvalidArgumentError(`Allowed: ${listed}.`);
  };
}

/** A parser of a whole number. @param note on `min` for the error message */
export function wholeNumber(min: number, max: number, note = ''): (given: string) => number {
  return (given) => {
    const value = Number(given);
    if (/^-?\d+$/.test(given) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`Allowed: a whole number from ${min}${note} to ${max}.`);
  };
}
