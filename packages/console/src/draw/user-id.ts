/**
 * The user ID that follows a name until somebody types another.
 * @example userIdOf('Sri Rahayu'); // 'sri-rahayu'
 */
export function userIdOf(name: string): string {
  return name.trim().toLowerCase().replace(/\s+/g, '-');
}
