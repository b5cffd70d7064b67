const element = document.querySelector('wajah-liveness');
const form = document.querySelector('#enrol');
const said = document.querySelector('#said');
const texts = {
  en: {
    name: 'Name',
    enrol: 'Enrol me',
    enrolled: ' is enrolled.',
    failed: 'That failed.',
  },
  id: {
    name: 'Nama',
    enrol: 'Daftarkan saya',
    enrolled: ' terdaftar.',
    failed: 'Gagal.',
  },
};
let text = texts.en;

// For developers: ?diagnostics shows what the server answered.
element.toggleAttribute('diagnostics', new URLSearchParams(location.search).has('diagnostics'));

// Nothing that the page has proves that the check was passed: the backend knows it.
element.addEventListener('passed', () => {
  form.hidden = false;
});
for (const name of ['ready', 'failed']) {
  element.addEventListener(name, () => {
    form.hidden = true;
    said.textContent = '';
  });
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const fields = Object.fromEntries(new FormData(form));
  const answer = await (await fetch('/enrol', { method: 'POST', body: JSON.stringify(fields) })).json();
  form.hidden = answer.status === '200';
  said.textContent =
    answer.status === '200' ? fields.user_name + text.enrolled : (answer.detail ?? text.failed);
});

function show(language) {
  text = texts[language];
  document.documentElement.lang = element.lang = language;
  for (const part of document.querySelectorAll('[data-text]')) part.textContent = text[part.dataset.text];
}
show('en');

for (const button of document.querySelectorAll('[data-lang]')) {
  button.addEventListener('click', () => {
    show(button.dataset.lang);
    for (const other of document.querySelectorAll('[data-lang]')) {
      other.setAttribute('aria-pressed', String(other === button));
    }
  });
}
