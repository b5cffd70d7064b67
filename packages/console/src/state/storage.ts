type Place = 'localStorage' | 'sessionStorage';

/** A stored text; null where there is none, or the browser forbids storage. */
export function storedIn(place: Place, key: string): string | null {
  try {
    return globalThis[place].getItem(key);
  } catch {
    return null;
  }
}

/** Stores a text where the browser allows it. @param text null: nothing is stored any more */
export function store(place: Place, key: string, text: string | null): void {
  try {
    if (text === null) globalThis[place].removeItem(key);
    else globalThis[place].setItem(key, text);
  } catch {
    // See `storedIn`.
  }
}

/** Drops what the console has stored for the tab. */
export function dropStored(): void {
  try {
    for (const key of Object.keys(sessionStorage))
      if (key.startsWith('wajah.')) store('sessionStorage', key, null);
  } catch {
    // See `storedIn`.
  }
}
