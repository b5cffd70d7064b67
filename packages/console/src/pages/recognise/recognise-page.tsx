import { useEffect } from 'preact/hooks';
import type { Gallery } from '../../api/types.ts';
import { recognise } from '../../i18n/messages.ts';
import { hrefOf } from '../../state/route.ts';
import { GalleryChoice, NobodyEnrolled, PersonChoice, useGalleries } from '../../ui/choice.tsx';
import { Segments } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { EmptyState, ErrorNotice, Skeleton } from '../../ui/notice.tsx';
import { PictureInput, SamplePictures } from '../../ui/picture-input.tsx';
import { PageHeader } from '../../ui/shell.tsx';
import { RecognitionView, VerificationView } from './answers.tsx';
import { ask, expected, look, question, show } from './looks.ts';

/** Who is in a picture (1:N), or whether it shows a person (1:1). */
export function RecognisePage() {
  const galleries = useGalleries();
  const { chosen } = galleries;
  return (
    <div class="page stack wide">
      <PageHeader title={recognise.title} lead={recognise.lead} />
      {galleries.error && <ErrorNotice error={galleries.error} onRetry={galleries.reload} />}
      {galleries.busy && galleries.galleries.length === 0 && <Skeleton />}
      {galleries.answer && galleries.galleries.length === 0 && <NobodyEnrolled gallery={undefined} />}
      {chosen && (
        <>
          <Asking galleries={galleries} />
          <Asked gallery={chosen} onEnrolled={galleries.reload} />
        </>
      )}
    </div>
  );
}

/** The question: which one, in which gallery, about whom. */
function Asking({ galleries }: { galleries: ReturnType<typeof useGalleries> }) {
  const gallery = galleries.chosen?.facegallery_id ?? '';
  return (
    <div class="asking">
      <Segments
        label={recognise.question}
        value={question.value}
        options={[
          { value: 'who', text: recognise.who },
          { value: 'isIt', text: recognise.isIt },
        ]}
        onChoose={(value) => {
          question.value = value;
        }}
      />
      <GalleryChoice {...galleries} />
      {question.value === 'isIt' ? (
        <PersonChoice
          key={gallery}
          gallery={gallery}
          label={recognise.person}
          chosen={expected.value?.gallery === gallery ? expected.value : undefined}
          onChoose={(person) => {
            expected.value = person && { ...person, gallery };
          }}
        />
      ) : (
        <a class="button" href={hrefOf('recognise', 'door')}>
          <Icon name="camera" />
          {recognise.door}
        </a>
      )}
    </div>
  );
}

/** The picture, and the answer of the question about it. */
function Asked({ gallery: of, onEnrolled }: { gallery: Gallery; onEnrolled: () => void }) {
  const gallery = of.facegallery_id;
  const { picture, busy, recognition, verification, error } = look.value ?? {};
  const asked = question.value;
  const person = expected.value?.gallery === gallery ? expected.value.user_id : undefined;
  useEffect(() => {
    // An answer that is there is of the same question: the page was left and opened again.
    const sameGallery = (recognition ?? verification)?.call.fields['facegallery_id'] === gallery;
    const samePerson = verification?.call.fields['user_id'] === person;
    const answered = asked === 'who' ? recognition && sameGallery : verification && sameGallery && samePerson;
    if (!answered) void ask(gallery);
  }, [gallery, asked, person, picture]);
  return (
    <>
      <PictureInput
        paste
        label={recognise.title}
        compact={picture !== undefined}
        onPictures={([taken]) => taken && show(taken)}
      />
      {picture ? (
        <Answer
          of={{ picture, busy: busy === true, error, onRetry: () => void ask(gallery) }}
          person={person}
          gallery={of}
          onEnrolled={onEnrolled}
        />
      ) : (
        <>
          <SamplePictures onPicture={show} />
          <EmptyState
            icon="search"
            title={recognise.empty}
            text={of.n_face === 0 ? recognise.emptyFirst : recognise.emptyText}
          />
        </>
      )}
    </>
  );
}

/** The answer of the question about the picture. */
function Answer(props: {
  of: Pick<Parameters<typeof RecognitionView>[0], 'picture' | 'busy' | 'error' | 'onRetry'>;
  person: string | undefined;
  gallery: Gallery;
  onEnrolled: () => void;
}) {
  const { of, person, gallery, onEnrolled } = props;
  const { recognition, verification } = look.value ?? {};
  if (question.value === 'isIt') {
    return <VerificationView {...of} verification={verification} person={person} />;
  }
  const enrolled = () => {
    onEnrolled();
    of.onRetry();
  };
  return <RecognitionView {...of} recognition={recognition} gallery={gallery} onEnrolled={enrolled} />;
}
