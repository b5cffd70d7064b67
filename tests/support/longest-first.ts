import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Tests that start programs or a browser take longest. Started last, they would leave workers idle. */
const long = /\/tests\/(browser|programs|documents)\//;

/** Vitest's order (failed before, then longest before), with those of the longest kind at the start. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => long.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
