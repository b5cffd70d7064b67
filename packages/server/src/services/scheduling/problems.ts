/** Why work is refused, for metrics. */
export type RefusalCause = 'overload' | 'deadline' | 'queue' | 'client_queue' | 'displaced';

/** Why work is refused. */
export interface Problem {
  readonly cause: RefusalCause;
  readonly text: string;
}

const problem =
  (cause: RefusalCause) =>
  (text: string): Problem => ({ cause, text });

/** The problems that a scheduler refuses work for. */
export const problems = {
  overloaded: problem('overload')('the server is overloaded'),
  older: problem('overload')('the server is overloaded, newer calls go first'),
  displaced: problem('displaced')('the queue is full and most of it is of this client'),
  notBegun: problem('deadline')('could not begin in time'),
  late: (ms: number) => problem('deadline')(`this picture would not be done within ${ms} ms`),
  full: (waiting: number) => problem('queue')(`found ${waiting} pictures waiting, the most that may`),
  clientFull: (waiting: number) =>
    problem('client_queue')(`found ${waiting} pictures of this client waiting, the most that may`),
};
