import type { ComponentType } from 'preact';
import { AuditPanel } from './audit/audit-panel.tsx';
import { audit } from './audit/texts.ts';
import { openidView } from './openid/view.ts';

/** Views of the page of the server, for operators. */
export const featureSystemViews: Readonly<Record<string, { text(): string; View: ComponentType }>> = {
  audit: { text: () => audit.title, View: AuditPanel },
  openid: openidView,
};
