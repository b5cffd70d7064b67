export { type StatusName, type StatusRow, statuses } from './errors.ts';
