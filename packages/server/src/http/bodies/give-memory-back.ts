import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes of bodies in flight after which memory is worth a collection. */
const worth = 64 * 2 ** 20;

/** Time without bodies before it, milliseconds. */
const quiet = 3000;

/**
 * Collects the texts of large bodies once no body is in flight: V8 collects when memory is needed, and an idle server
 * would keep hundreds of megabytes.
 * @param used bytes of bodies in flight
 * @returns what is called before and after bytes are given back
 */
export function memoryReturner(used: () => number, collect: () => void = collectGarbage) {
  let most = 0;
  let timer: NodeJS.Timeout | undefined;
  const giveBack = () => {
    timer = undefined;
    if (used() > 0 || most < worth) return;
    most = 0;
    collect();
  };
  return {
    beforeGivingBack(): void {
      most = Math.max(most, used());
    },
    afterGivingBack(): void {
      if (most < worth || used() > 0) return;
      clearTimeout(timer);
      timer = setTimeout(giveBack, quiet).unref();
    },
  };
}

/** Node has no other way to a collection than this flag. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  collect();
}
