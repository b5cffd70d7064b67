/** Settings for tests: a session has 20 pictures and one deadline, and other programs may have most of the machine. */
export const patient = { WAJAH_ENGINE_DEADLINE_MS: '120000', WAJAH_SESSION_SECONDS: '300' };

/** Milliseconds that a statement of a database may take, and wait for a connection, for the same reason. */
export const patientStatementMs = 120_000;

/** Settings of programs that tests start: they fetch nothing from the internet. */
export const offline = { WAJAH_PAD_PACK: 'off' };
