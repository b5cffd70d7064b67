import './styles/all.css';
import './styles/reference.css';
import { render } from 'preact';
import { ReferenceApp } from './reference/reference-app.tsx';
import { applyPreferences, chooseLanguage, language } from './state/preferences.ts';

applyPreferences();
await chooseLanguage(language.value);
render(<ReferenceApp />, document.getElementById('app')!);
