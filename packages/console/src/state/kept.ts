import { effect, type Signal, signal } from '@preact/signals';
import { session } from './session.ts';

/**
 * State of a page that stays while other pages are open. It is in memory only, and is dropped when the session ends.
 * @param release frees what a dropped value holds
 */
export function keptSignal<Value>(initial: Value, release?: (value: Value) => void): Signal<Value> {
  const kept = signal(initial);
  effect(() => {
    if (session.value !== null) return;
    const dropped = kept.peek();
    if (dropped === initial) return;
    kept.value = initial;
    release?.(dropped);
  });
  return kept;
}
