import { define, group, integer, toggle } from './setting.ts';

export const sessions = group('Liveness sessions', {
  seconds: define({
    name: 'WAJAH_SESSION_SECONDS',
    fallback: '60',
    ...integer(10, 300),
    unit: 's',
    description:
      'Lifetime of a liveness session in seconds, from create-session to the submission of its frames.',
  }),
  expression: define({
    name: 'WAJAH_SESSION_EXPRESSION',
    fallback: 'true',
    ...toggle(),
    description:
      'Every liveness session asks for closed eyes or an open mouth. false, for people who cannot do either on request, asks for turns of the head alone: a mask passes more easily, and so does a stolen film.',
  }),
});
