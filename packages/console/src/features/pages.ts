import type { ComponentType } from 'preact';
import type { IconName } from '../ui/icon.tsx';
import { activityPage } from './activity/page.ts';
import { webhooksPage } from './webhooks/page.ts';

/** A page of every day, or one by which a server is set up. */
interface FeaturePage {
  /** In the language of the page. */
  text(): string;
  readonly icon: IconName;
  readonly daily?: true;
  readonly Page: ComponentType<{ icon: IconName }>;
}

/** By their names in the address. */
export const featurePages: Readonly<Record<string, FeaturePage>> = {
  activity: activityPage,
  webhooks: webhooksPage,
};
