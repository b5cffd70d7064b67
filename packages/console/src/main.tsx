import './styles/all.css';
import { render } from 'preact';
import { App } from './app.tsx';
import { applyPreferences } from './state/preferences.ts';

applyPreferences();
render(<App />, document.getElementById('app')!);
