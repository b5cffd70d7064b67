import { type Engine, RECOMMENDED_PAD_PACK } from '@wajah/engine';

/** Commands that install the recommended PAD pack: by download, and from a folder with its files. */
export const padInstallCommands = [
  `npx wajah models pull ${RECOMMENDED_PAD_PACK}`,
  `npx wajah models pull ${RECOMMENDED_PAD_PACK} --from <folder>`,
] as const;

/** What the start, `wajah doctor`, `/ready`, the console and the documents say of a server without a PAD pack. */
export const padNotice = `Presentation attack detection runs without the recommended model pack ${RECOMMENDED_PAD_PACK}: install it with "${padInstallCommands[0]}" (without internet access: "${padInstallCommands[1]}") and restart the server.`;

/** The notice as a list, empty where the networks of a PAD pack are in use. */
export function padNotices({ padPack }: Pick<Engine, 'padPack'>): readonly string[] {
  return padPack === null ? [padNotice] : [];
}
