import type { LinkExpectedAnswer } from '@wajah/client';
import { mostLinks } from '@wajah/contract/features/expected';
import type { Gallery } from '../../api/types.ts';
import { wajah } from '../../api/wajah.ts';
import { formatNumber, formatTime } from '../../i18n/format.ts';
import { common, messageFor } from '../../i18n/messages.ts';
import { keptSignal } from '../../state/session.ts';
import { CopyButton } from '../../ui/code.tsx';
import { ConsentInput, consentFields, newConsent } from '../../ui/consent-input.tsx';
import { FormDialog, OpenButton } from '../../ui/dialog.tsx';
import { Form, useFields } from '../../ui/field.tsx';
import { Button, Tag } from '../../ui/icon.tsx';
import { ExportButton } from '../../ui/list.tsx';
import { Notice } from '../../ui/notice.tsx';
import { type ExpectedPerson, hasLink, readExpected } from './read-list.ts';
import { expected } from './texts.ts';

type Made = LinkExpectedAnswer['links'][number];

/** Links of this tab by gallery and user_id: the server has no address of a link. */
const madeLinks = keptSignal<Readonly<Record<string, Readonly<Record<string, Made>>>>>({}, undefined, true);

/** The link of a person, while it can be opened and was made here. */
function linkOf(gallery: string, person: ExpectedPerson): Made | undefined {
  const made = madeLinks.value[gallery]?.[person.user_id];
  return hasLink(person) && person.link?.expires_at === made?.expires_at ? made : undefined;
}

interface MissingProps {
  readonly gallery: Gallery;
  readonly missing: readonly ExpectedPerson[];
  readonly onMade: () => void;
}

/** Those who have no face, each with a link where one was made, to be printed or sent. */
export function MissingPeople({ gallery, missing, onMade }: MissingProps) {
  const { facegallery_id: name } = gallery;
  const shown = missing.flatMap((person) => {
    const link = linkOf(name, person);
    return link ? [{ person, link }] : [];
  });
  const url = shown[0]?.link.url;
  return (
    <>
      <MakeLinks gallery={gallery} missing={missing.filter((person) => !hasLink(person))} onMade={onMade} />
      <LostLinks
        gallery={gallery}
        missing={missing.filter((person) => hasLink(person) && !linkOf(name, person))}
        onMade={onMade}
      />
      {url !== undefined && !url.startsWith('https:') && (
        <div class="not-printed">
          <Notice tone="warn">{expected.insecure(new URL(url).origin)}</Notice>
        </div>
      )}
      <div class="row">
        <Button onClick={() => globalThis.print()}>{expected.print}</Button>
        {shown.length > 0 && (
          <ExportButton
            name={expected.links}
            file={name}
            table={async () => ({
              heading: ['user_id', 'user_name', 'url', 'expires_at'],
              rows: shown.map(({ person, link }) => [
                person.user_id,
                person.user_name,
                link.url,
                link.expires_at,
              ]),
            })}
          />
        )}
      </div>
      <ul class="expected">
        {missing.map((person) => (
          <Entry key={person.user_id} {...{ gallery, person, onMade }} />
        ))}
      </ul>
    </>
  );
}

/** One button for all who have no link that can be opened. */
function MakeLinks({ gallery, missing, onMade }: MissingProps) {
  const consent = useFields(newConsent());
  if (missing.length === 0) return null;
  return (
    <Form
      look="main"
      submit={expected.make(countOf(missing))}
      send={async (signal) => {
        // Links may have been made elsewhere meanwhile, which others would end.
        const { people } = await readExpected(gallery.facegallery_id, true, signal);
        const shown = new Set(missing.map(({ user_id }) => user_id));
        const left = people.filter((person) => shown.has(person.user_id) && !hasLink(person));
        await makeLinks(gallery, left, consent.values, signal);
      }}
      onAnswer={onMade}
    >
      <p class="hint">{expected.linksHint}</p>
      {gallery.require_consent && <ConsentInput field={consent.field} />}
    </Form>
  );
}

const countOf = ({ length }: readonly ExpectedPerson[]) => common.peopleCount(length, formatNumber(length));

async function makeLinks(
  { facegallery_id, require_consent }: Gallery,
  people: readonly ExpectedPerson[],
  consent: ReturnType<typeof newConsent>,
  signal: AbortSignal,
): Promise<void> {
  const given = require_consent ? consentFields(consent) : {};
  const ids = people.map(({ user_id }) => user_id);
  for (let at = 0; at < ids.length; at += mostLinks) {
    const request = { facegallery_id, user_ids: ids.slice(at, at + mostLinks), ...given };
    const { links } = await wajah.linkExpected(request, { signal });
    const made = Object.fromEntries(links.map((link) => [link.user_id, link]));
    const { value } = madeLinks;
    madeLinks.value = { ...value, [facegallery_id]: { ...value[facegallery_id], ...made } };
  }
}

/** Says of links that were made elsewhere why they are not shown, and makes others in their place. */
function LostLinks(props: MissingProps) {
  const { missing } = props;
  if (missing.length === 0) return null;
  return (
    <div class="row not-printed">
      <p class="hint grow">{expected.lost(countOf(missing))}</p>
      <LinkButton {...props} text={expected.makeAnew(countOf(missing))} />
    </div>
  );
}

/** A button for links that end those that exist, after a question. */
function LinkButton({ text, label, ...props }: MissingProps & { text: string; label?: string }) {
  return (
    <OpenButton text={text} label={label}>
      {(close) => <LinkDialog {...props} title={label ?? text} confirm={text} onClose={close} />}
    </OpenButton>
  );
}

interface LinkDialogProps extends MissingProps {
  readonly title: string;
  readonly confirm: string;
  readonly onClose: () => void;
}

function LinkDialog({ gallery, missing, onMade, ...dialog }: LinkDialogProps) {
  const consent = useFields(newConsent());
  return (
    <FormDialog
      {...dialog}
      look="main"
      send={(signal) => makeLinks(gallery, missing, consent.values, signal)}
      onAnswer={onMade}
    >
      <p>{expected.linksHint}</p>
      {missing.some(hasLink) && <p>{expected.endsFormer}</p>}
      {gallery.require_consent && <ConsentInput field={consent.field} />}
    </FormDialog>
  );
}

interface EntryProps extends Omit<MissingProps, 'missing'> {
  readonly person: ExpectedPerson;
}

function Entry({ gallery, person, onMade }: EntryProps) {
  const { facegallery_id } = gallery;
  const { user_id, user_name: name } = person;
  const link = linkOf(facegallery_id, person);
  const text = hasLink(person) ? expected.makeNew : expected.makeOne;
  return (
    <li>
      {link && (
        <img class="qr" src={`data:image/svg+xml,${encodeURIComponent(link.qr)}`} alt={expected.qr(name)} />
      )}
      <strong>{name}</strong>
      <span class="mono small">{user_id}</span>
      <State person={person} shown={link !== undefined} />
      {!link && <LinkButton {...{ gallery, onMade, text }} missing={[person]} label={`${text}: ${name}`} />}
      {link && (
        <>
          <span class="printed">{expected.scan}</span>
          <span class="small">{expected.validUntil(formatTime(link.expires_at))}</span>
          <code class="small">{link.url}</code>
          <div class="row">
            <CopyButton text={link.url} name={`${common.copy}: ${name}`} />
            <a
              class="button"
              href={mailOf(facegallery_id, name, link)}
              aria-label={`${expected.mail}: ${name}`}
            >
              {expected.mail}
            </a>
          </div>
        </>
      )}
    </li>
  );
}

/** What became of a link, and until when one is valid that is not shown. */
function State({ person, shown }: { person: ExpectedPerson; shown: boolean }) {
  if (!person.link) return null;
  const { failed, failed_tries: tries, expires_at } = person.link;
  if (failed !== null) {
    const why = messageFor(expected, `failed_${failed}`) ?? failed;
    return <Tag tone="bad">{expected.failed(why)}</Tag>;
  }
  return (
    <>
      {tries > 0 && <Tag tone="warn">{expected.tries(tries)}</Tag>}
      {!hasLink(person) && <span class="hint">{expected.ended}</span>}
      {hasLink(person) && !shown && (
        <span class="hint">{expected.made(expected.validUntil(formatTime(expires_at)))}</span>
      )}
    </>
  );
}

/** A letter of the program that opens it: the server sends none. */
function mailOf(gallery: string, name: string, { url, expires_at }: Made): string {
  const subject = encodeURIComponent(expected.subject(gallery));
  const body = encodeURIComponent(expected.body(name, formatTime(expires_at), url));
  return `mailto:?subject=${subject}&body=${body}`;
}
