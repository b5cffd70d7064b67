import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Card } from './card.tsx';
import { ShownOnce } from './dialog.tsx';
import { Form, type FormProps } from './field.tsx';
import { Page } from './shell.tsx';

/** A secret that was made, which the server does not tell again. */
interface Made {
  readonly title: string;
  readonly text: string;
  readonly secret: string;
}

/** Shows a secret, and reads the list again. */
export type OnMade = (made: Made) => void;

/** A page by which a server is set up: a list, the form beside it that makes an entry, and the secret of that entry. */
export function Registry(props: {
  texts: { readonly title: string; readonly lead: string; readonly list?: string };
  reload: () => void;
  list: (onMade: OnMade) => ComponentChildren;
  form: (onMade: OnMade) => ComponentChildren;
}) {
  const { texts, reload, list, form } = props;
  const [made, setMade] = useState<Made>();
  const onMade = (secret: Made) => {
    setMade(secret);
    reload();
  };
  return (
    <Page title={texts.title} lead={texts.lead}>
      <div class="columns">
        <Card title={texts.list ?? texts.title}>{list(onMade)}</Card>
        {form(onMade)}
      </div>
      {made && <ShownOnce {...made} onClose={() => setMade(undefined)} />}
    </Page>
  );
}

/** The form of a new entry. */
export function CreateForm<Answer>({ title, ...form }: FormProps<Answer> & { title: string }) {
  return (
    <Card title={title}>
      <Form look="main" icon="plus" {...form} />
    </Card>
  );
}
