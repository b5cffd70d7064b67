import { type Finding, textOf } from '../../config/finding.ts';
import { OperatorError } from '../../errors.ts';
import type { Feature } from '../../feature.ts';
import { command, json, serverHeading } from '../../operations/command.ts';
import { printList } from '../../operations/terminal.ts';

const doctorCommand = command({
  name: 'doctor',
  heading: serverHeading,
  line: 'check settings, versions, keys, clocks and disks',
  about:
    'check the installation, settings, port, store, keys, clocks and disks; exits with 1 if something must be repaired',
  options: { json },
  action: async ({ terminal, env }, { json }) => {
    const findings = await (await import('./doctor.ts')).runDoctor(env);
    const columns = {
      '': ({ severity }: Finding) => ({ good: 'ok', doubtful: 'look', bad: 'BAD' })[severity],
      what: ({ id }: Finding) => id,
      found: textOf,
    };
    printList(terminal, findings, { json, columns });
    const wrong = findings.filter(({ severity }) => severity === 'bad').length;
    if (wrong > 0) throw new OperatorError(`doctor: ${wrong} of ${findings.length} must be repaired`);
  },
});

export const doctor: Feature = { commands: { own: [doctorCommand] } };
