import { isDeepStrictEqual } from 'node:util';
import { type Config, loadConfig } from './config.ts';
import type { ReportedSetting, Setting, SettingGroup } from './setting.ts';
import { settings } from './settings.ts';

type Value = string | number | boolean | null;

/** Every setting of a server with its default, but for secrets, paths and commands, which are the machine's business. */
export function settingsInForce(config: Config): ReportedSetting[] {
  return [...walk(settings, config, loadConfig({}))];
}

function* walk(
  { title, parts }: SettingGroup<unknown>,
  values: unknown,
  defaults: unknown,
): Generator<ReportedSetting> {
  for (const [key, part] of Object.entries(parts)) {
    // A group that is switched off as a whole, as the database, has no values.
    const [found, byDefault] = [at(values, key), at(defaults, key)];
    if ('parts' in part) yield* walk(part, found, byDefault);
    else if (isShown(part)) yield settingOf(part, title, found, byDefault);
  }
}

function at(values: unknown, key: string): unknown {
  return (values as Readonly<Record<string, unknown>> | null)?.[key] ?? null;
}

function isShown({ secret, ofMachine }: Setting<unknown>): boolean {
  return !secret && !ofMachine;
}

function settingOf(
  { name, unit }: Setting<unknown>,
  group: string,
  found: unknown,
  byDefault: unknown,
): ReportedSetting {
  const value = plain(found);
  const isNumber = typeof (value ?? plain(byDefault)) === 'number';
  const changed = !isDeepStrictEqual(found, byDefault);
  return {
    name,
    group,
    value,
    default: plain(byDefault),
    ...(isNumber && unit && { unit: unitOf(unit) }),
    changed,
  };
}

function plain(value: unknown): Value {
  if (Array.isArray(value)) return value.length === 0 ? null : value.join(', ');
  return typeof value === 'object' ? null : (value as Value);
}

/** Settings that are given in MiB are read as bytes. */
function unitOf(unit: string): string {
  return unit === 'MiB' ? 'bytes' : unit;
}
