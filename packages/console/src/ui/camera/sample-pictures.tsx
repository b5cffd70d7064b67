import { type Picture, pictureFrom } from '../../draw/picture.ts';
import { messages } from '../../i18n/messages.ts';
import { useRequest } from '../../state/use-request.ts';
import { ErrorNotice } from '../notice.tsx';

/** The server has them beside the console. */
const addressOf = (name: string) => `/console/samples/${name}.jpg`;

export async function samplePicture(name: string, signal: AbortSignal | null = null): Promise<Picture> {
  const blob = await (await fetch(addressOf(name), { signal })).blob();
  return pictureFrom(new File([blob], `${name}.jpg`, { type: 'image/jpeg' }));
}

/** Pictures of drawn people, each one click away. */
export function SamplePictures({ onPicture }: { onPicture: (picture: Picture) => void }) {
  const { recognise } = messages.value;
  const loading = useRequest<void>();
  const samples = [
    ['sri-1', recognise.sampleFront],
    ['team', recognise.sampleTeam],
    ['left', recognise.sampleLeft],
    ['masked', recognise.sampleMasked],
    ['dark', recognise.sampleDark],
  ] as const;
  const take = (name: string) =>
    void loading.run(async (signal) => {
      onPicture(await samplePicture(name, signal));
    });
  return (
    <section class="stack tight" aria-label={recognise.samples}>
      <p class="hint">{recognise.samplesHint}</p>
      <div class="samples">
        {samples.map(([name, text]) => (
          <button key={name} type="button" class="sample" disabled={loading.busy} onClick={() => take(name)}>
            <img src={addressOf(name)} alt="" width="72" height="72" />
            <span>{text}</span>
          </button>
        ))}
      </div>
      {loading.error && <ErrorNotice error={loading.error} />}
    </section>
  );
}
