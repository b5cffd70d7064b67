import type { Terminal } from './terminal.ts';

/** Says how far something is. */
export interface Meter {
  at(done: number, total: number): void;
  end(): void;
}

/** What is counted: bytes, said in millions, rows or faces. */
type Unit = 'MB' | 'rows' | 'faces';

const width = 30;
/** A bar is drawn at most so often. Milliseconds. */
const pause = 100;

/** A bar on a terminal; without one a line at each quarter. */
export function meter(
  label: string,
  terminal: Terminal,
  unit: Unit = 'MB',
  stream: NodeJS.WriteStream = process.stderr,
): Meter {
  return stream.isTTY ? bar(label, unit, stream) : lines(label, unit, terminal);
}

function bar(label: string, unit: Unit, stream: NodeJS.WriteStream): Meter {
  let last = 0;
  return {
    at: (done, total) => {
      if (done < total && Date.now() - last < pause) return;
      last = Date.now();
      const full = Math.round((done / total) * width);
      const drawn = '█'.repeat(full) + '░'.repeat(width - full);
      stream.write(`\r${label} ${drawn} ${percent(done, total)} of ${amount(total, unit)} `);
    },
    end: () => {
      if (last > 0) stream.write('\n');
    },
  };
}

function lines(label: string, unit: Unit, terminal: Terminal): Meter {
  let told = 0;
  return {
    at: (done, total) => {
      const quarter = Math.floor((done / total) * 4);
      if (quarter <= told) return;
      told = quarter;
      terminal.note(`${label}: ${percent(done, total)} of ${amount(total, unit)}`);
    },
    end: () => undefined,
  };
}

function amount(total: number, unit: Unit): string {
  return unit === 'MB' ? `${(total / 1e6).toFixed(1)} MB` : `${total} ${unit}`;
}

function percent(done: number, total: number): string {
  return `${Math.floor((100 * done) / total)} %`;
}
