import type { RefusalText } from '../i18n/server/refusal-text.ts';

/** The text of a refusal, and the server's own words where they are not translated. */
export function RefusalDetail({ refusal: { text, original } }: { refusal: RefusalText }) {
  return (
    <>
      {text !== '' && <p>{text}</p>}
      {original !== undefined && (
        <p lang="en" class="muted">
          {original}
        </p>
      )}
    </>
  );
}
