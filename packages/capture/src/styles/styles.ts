import { layout } from './layout.ts';
import { motion } from './motion.ts';
import { theme } from './theme.ts';

let made: CSSStyleSheet | undefined;

/** The style sheet of every element. A constructed one, which pages that forbid inline styles allow. */
export function sheet(): CSSStyleSheet {
  if (made) return made;
  made = new CSSStyleSheet();
  made.replaceSync(theme + layout + motion);
  return made;
}
