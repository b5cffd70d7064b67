/** A colour of the style sheet as the canvas understands it, in the appearance of the moment. */
export function colourOf(name: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(--${name})`;
  probe.hidden = true;
  document.body.append(probe);
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour;
}
