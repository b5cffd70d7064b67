import type { EnabledEndpoint, WebhookType } from '../../store/webhook-store.ts';

type Wanted = 'all' | ReadonlySet<WebhookType>;

/**
 * Which events the endpoints of clients want, as of the latest look into the store: nothing is written of the others.
 * Until the first look, every event is wanted.
 */
export function createWanted() {
  let known: ReadonlyMap<string, Wanted> | null = null;
  let changes = 0;
  return {
    has(clientId: string, type: WebhookType): boolean {
      if (known === null) return true;
      const types = known.get(clientId);
      return types === 'all' || types?.has(type) === true;
    },
    /** Endpoints have changed: every event is wanted until the next look. */
    changed(): void {
      known = null;
      changes += 1;
    },
    /** @returns receives what a look that begins now finds, unless endpoints change meanwhile */
    look(): (endpoints: readonly EnabledEndpoint[]) => void {
      const before = changes;
      return (endpoints) => {
        if (changes === before) known = byClient(endpoints);
      };
    },
  };
}

function byClient(endpoints: readonly EnabledEndpoint[]): Map<string, Wanted> {
  const known = new Map<string, Wanted>();
  for (const { clientId, types } of endpoints) {
    const others = known.get(clientId) ?? new Set();
    known.set(clientId, types === null || others === 'all' ? 'all' : new Set([...others, ...types]));
  }
  return known;
}
