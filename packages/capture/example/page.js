const element = document.querySelector('wajah-liveness');
const form = document.querySelector('#enrol');
const said = document.querySelector('#said');
let session;

// For developers: ?diagnostics shows what the server answered.
element.toggleAttribute('diagnostics', new URLSearchParams(location.search).has('diagnostics'));

element.addEventListener('passed', ({ detail }) => {
  session = detail.session_id;
  form.hidden = false;
});
document.querySelector('#consent').addEventListener('change', ({ target }) => {
  element.toggleAttribute('consent', target.checked);
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
  const body = JSON.stringify({ ...fields, session_id: session });
  const answer = await (await fetch('/enrol', { method: 'POST', body })).json();
  form.hidden = answer.status === '200';
  said.textContent =
    answer.status === '200' ? `${fields.user_name} is enrolled.` : (answer.detail ?? 'That failed.');
});

for (const button of document.querySelectorAll('[data-lang]')) {
  button.addEventListener('click', () => {
    document.documentElement.lang = element.lang = button.dataset.lang;
    for (const other of document.querySelectorAll('[data-lang]')) {
      other.setAttribute('aria-pressed', String(other === button));
    }
  });
}
