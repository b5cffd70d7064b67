import './styles/all.css';
import { render } from 'preact';
import { App } from './app.tsx';
import { applyPreferences, chooseLanguage, language } from './state/preferences.ts';

applyPreferences();
await chooseLanguage(language.value);
render(<App />, document.getElementById('app')!);
