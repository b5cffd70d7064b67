export { profile } from './profile.ts';
