import { describe, expect, it } from 'vitest';
import { atEnd, temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { type ElementEvent, startExample } from './example-page.ts';
import { cameraScript, drawnFilm } from './film-camera.ts';
import { firefoxPath, launchFirefox } from './firefox.ts';

describe.skipIf(!firefoxPath)('<wajah-liveness> in Firefox', () => {
  it('passes a person who does the steps', async () => {
    const example = await startExample();
    const firefox = await launchFirefox(temporaryDirectory());
    atEnd(() => firefox.close());
    await firefox.goto(example.url);
    await firefox.evaluate(cameraScript(await drawnFilm()));
    const event = await firefox.evaluate<ElementEvent>(`new Promise((resolve) => {
      for (const name of ['passed', 'failed']) {
        addEventListener(name, ({ detail }) => resolve({ name, ...JSON.parse(JSON.stringify(detail)) }));
      }
      void document.querySelector('wajah-liveness').start();
    })`);
    expect([event.name, event.reasons]).toEqual(['passed', undefined]);
    const shown = "document.querySelector('wajah-liveness').shadowRoot.querySelector('h2').textContent";
    await expect.poll(() => firefox.evaluate(shown)).toBe('Passed');
  });
});
