import './styles/all.css';
import { render } from 'preact';
import { ReferenceApp } from './reference/reference-app.tsx';
import { applyPreferences } from './state/preferences.ts';

applyPreferences();
render(<ReferenceApp />, document.getElementById('app')!);
