// Runs before the page is drawn, so that nothing moves or changes its colour: the theme that the reader chose here or in
// the console, and a mark that scripts run.
document.documentElement.classList.add('js');
try {
  const theme = localStorage.getItem('wajah.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Browsers may forbid storage.
}
