import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** One bash that runs scripts one after another: what one defines, the next one has. */
export class Shell {
  readonly #child: ChildProcess;
  readonly #folder: string;
  #output = '';
  #count = 0;
  #changed = () => {};
  #hasEnded = false;

  constructor(folder: string, env: Readonly<Record<string, string>>) {
    this.#folder = folder;
    this.#child = spawn('bash', ['-euo', 'pipefail', '-s'], {
      cwd: folder,
      env,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const take = (text: string) => {
      this.#output += text;
      this.#changed();
    };
    this.#child.stdout?.setEncoding('utf8').on('data', take);
    this.#child.stderr?.setEncoding('utf8').on('data', take);
    this.#child.on('close', () => {
      this.#hasEnded = true;
      this.#changed();
    });
  }

  /**
   * @returns what the script printed, on either stream
   * @throws Error with the output when a command fails
   */
  async run(script: string): Promise<string> {
    this.#count += 1;
    const file = join(this.#folder, `.block-${this.#count}.sh`);
    const mark = `-- end of block ${this.#count} --`;
    writeFileSync(file, `${script}\n`);
    this.#output = '';
    this.#child.stdin?.write(`source '${file}' < /dev/null\nprintf '\\n%s\\n' '${mark}'\n`);
    while (!this.#output.includes(mark)) {
      if (this.#hasEnded) throw new Error(`a command failed:\n${script}\n--\n${this.#output}`);
      await new Promise<void>((resolve) => {
        this.#changed = resolve;
      });
    }
    return this.#output.slice(0, this.#output.indexOf(mark));
  }

  end(): void {
    this.#child.kill('SIGKILL');
  }
}
