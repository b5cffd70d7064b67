import type { DrawnPerson } from './drawn-person.ts';

/** What a face does at the moment. Left and right are the person's own. */
export interface Expression {
  readonly leftEye: 'open' | 'closed';
  readonly rightEye: 'open' | 'closed';
  readonly mouth: 'open' | 'closed';
  readonly mask: boolean;
  readonly sunglasses: boolean;
}

/**
 * SVG of a head around the point between the eyes, y downwards, 200 units from crown to chin.
 * @param id makes the gradients' names unique within one picture
 */
export function headSvg(p: DrawnPerson, now: Expression, id: string): string {
  return [
    gradients(p, id),
    behind(p),
    neck(p, id),
    `<path d="${outline(p)}" fill="url(#skin${id})"/>`,
    shading(p, id),
    p.beard === undefined ? '' : beard(p, p.beard),
    eye(p, now.rightEye, -1, id),
    eye(p, now.leftEye, 1, id),
    nose(p),
    mouth(p, now.mouth),
    skinMarks(p),
    p.glasses === undefined ? '' : glasses(p, p.glasses),
    hair(p),
    now.sunglasses ? sunglasses(p) : '',
    now.mask ? mask(p) : '',
  ].join('\n');
}

function gradients({ skin: [light, shadow], iris }: DrawnPerson, id: string): string {
  return `<defs>
<radialGradient id="skin${id}" cx="0.46" cy="0.42" r="0.62">
<stop offset="0" stop-color="${light}"/><stop offset="0.62" stop-color="${light}"/><stop offset="1" stop-color="${shadow}"/>
</radialGradient>
<radialGradient id="soft${id}"><stop offset="0" stop-color="${shadow}" stop-opacity="0.75"/><stop offset="1" stop-color="${shadow}" stop-opacity="0"/></radialGradient>
<radialGradient id="iris${id}"><stop offset="0.3" stop-color="#060404"/><stop offset="0.42" stop-color="${iris}"/><stop offset="1" stop-color="#0c0806"/></radialGradient>
</defs>`;
}

function outline({ temple, jaw, chin }: DrawnPerson): string {
  return `M 0 -88 C ${temple} -88 ${temple + 4} -30 ${temple} 6 C ${temple - 3} ${chin * 0.55} ${jaw} ${chin * 0.82} ${jaw * 0.55} ${chin * 0.95}
C ${jaw * 0.3} ${chin + 2} ${-jaw * 0.3} ${chin + 2} ${-jaw * 0.55} ${chin * 0.95} C ${-jaw} ${chin * 0.82} ${3 - temple} ${chin * 0.55} ${-temple} 6
C ${-temple - 4} -30 ${-temple} -88 0 -88 Z`;
}

/** Hair behind the head, and the ears before it. */
function behind({ hair, hairStyle, temple, chin, skin }: DrawnPerson): string {
  const ear = (side: number) =>
    `<ellipse cx="${side * (temple + 3)}" cy="10" rx="9" ry="19" fill="${skin[0]}" stroke="${skin[1]}" stroke-width="2"/>`;
  const ears =
    hairStyle === 'short' || hairStyle === 'bald' || hairStyle === 'fringe' ? ear(-1) + ear(1) : '';
  if (hairStyle === 'scarf') {
    return `<path d="M ${-temple - 40} ${chin + 60} C ${-temple - 30} -60 -60 -116 0 -116 C 60 -116 ${temple + 30} -60 ${temple + 40} ${chin + 60} Z" fill="${hair}"/>`;
  }
  if (hairStyle === 'afro') {
    return `<ellipse cx="0" cy="-46" rx="${temple + 44}" ry="${chin + 2}" fill="${hair}"/>`;
  }
  return ears;
}

function neck({ jaw, chin, skin: [light, shadow], hairStyle, hair }: DrawnPerson, id: string): string {
  const cloth = hairStyle === 'scarf' ? hair : '#5b6570';
  return `<path d="M ${-jaw * 0.72} ${chin * 0.6} L ${-jaw * 0.72} ${chin + 40} L ${jaw * 0.72} ${chin + 40} L ${jaw * 0.72} ${chin * 0.6} Z" fill="${shadow}"/>
<path d="M ${-jaw * 0.72} ${chin + 28} Q 0 ${chin + 54} ${jaw * 0.72} ${chin + 28} L ${jaw * 0.72} ${chin + 60} L ${-jaw * 0.72} ${chin + 60} Z" fill="${light}"/>
<path d="M -150 ${chin + 130} C -140 ${chin + 60} -60 ${chin + 50} ${-jaw * 0.7} ${chin + 34} Q 0 ${chin + 70} ${jaw * 0.7} ${chin + 34} C 60 ${chin + 50} 140 ${chin + 60} 150 ${chin + 130} Z" fill="${cloth}"/>
<ellipse cx="0" cy="${chin + 6}" rx="${jaw * 0.7}" ry="16" fill="url(#soft${id})"/>`;
}

/** Soft shadows: sockets, cheeks, below the lip. */
function shading({ eyeApart, eyeWide, temple, noseLong, chin }: DrawnPerson, id: string): string {
  const soft = (x: number, y: number, rx: number, ry: number, opacity: number) =>
    `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="url(#soft${id})" opacity="${opacity}"/>`;
  return [-1, 1]
    .map(
      (side) =>
        soft(side * eyeApart, -4, eyeWide * 1.5, 17, 0.75) +
        soft(side * temple * 0.82, 44, 20, 34, 0.55) +
        soft(side * 9, 2, 8, 18, 0.6),
    )
    .concat(
      soft(0, noseLong + 42, 22, 8, 0.7),
      soft(0, chin - 4, 30, 8, 0.5),
      soft(0, noseLong + 6, 20, 8, 0.7),
    )
    .join('');
}

function eye(p: DrawnPerson, state: 'open' | 'closed', side: number, id: string): string {
  const { eyeApart, eyeWide: w, eyeHigh: h, eyeSlant, browHigh, browThick, skin, hair, hairStyle } = p;
  const browColour = hairStyle === 'scarf' ? '#120c08' : hair;
  const brow = `<path d="M ${-w * 1.15} ${-browHigh + 5} Q 0 ${-browHigh - 7 - browThick} ${w * 1.35} ${-browHigh + 3} Q 0 ${-browHigh - 5 + browThick * 0.4} ${-w * 1.15} ${-browHigh + 5 + browThick * 0.9} Z" fill="${browColour}"/>`;
  const inner = state === 'open' ? openEye(w, h, skin, id) : closedEye(w, h, skin);
  const turn = (Math.atan2(eyeSlant, w) * 180) / Math.PI;
  return `<g transform="translate(${side * eyeApart} 0) scale(${side} 1) rotate(${-turn})">${inner}${brow}</g>`;
}

function openEye(w: number, h: number, [, shadow]: readonly [string, string], id: string): string {
  const almond = `M ${-w} 2 Q ${-w * 0.3} ${-h * 1.75} ${w} 0 Q 0 ${h * 1.45} ${-w} 2 Z`;
  return `<clipPath id="lid${id}${w}"><path d="${almond}"/></clipPath>
<path d="${almond}" fill="#f4f1ec"/>
<g clip-path="url(#lid${id}${w})"><circle cx="0" cy="-0.5" r="${h * 0.92}" fill="url(#iris${id})"/><circle cx="-2.2" cy="-3" r="1.7" fill="#fff"/>
<path d="M ${-w} 0 Q ${-w * 0.3} ${-h * 2} ${w} -2 L ${w} ${-h * 0.1} Q ${-w * 0.3} ${-h * 1.1} ${-w} 3 Z" fill="#000" opacity="0.28"/></g>
<path d="M ${-w - 1} 2.5 Q ${-w * 0.3} ${-h * 1.75} ${w + 2} -0.5" fill="none" stroke="#170e0a" stroke-width="2.6"/>
<path d="M ${-w} 2 Q 0 ${h * 1.45} ${w} 0" fill="none" stroke="${shadow}" stroke-width="1.4"/>
<path d="M ${-w} ${-h * 0.9} Q ${-w * 0.2} ${-h * 2.1} ${w} ${-h * 0.9}" fill="none" stroke="${shadow}" stroke-width="1.8"/>`;
}

function closedEye(w: number, h: number, [light, shadow]: readonly [string, string]): string {
  return `<ellipse cx="0" cy="-1" rx="${w}" ry="${h * 0.95}" fill="${light}"/>
<path d="M ${-w} ${-h * 0.5} Q 0 ${-h * 1.5} ${w} ${-h * 0.5}" fill="none" stroke="${shadow}" stroke-width="1.6"/>
<path d="M ${-w - 1} 2 Q 0 ${h * 1.15} ${w + 2} 1" fill="none" stroke="#170e0a" stroke-width="3"/>
<path d="M ${-w * 0.8} ${h * 0.9} Q 0 ${h * 1.75} ${w * 0.8} ${h * 0.9}" fill="none" stroke="${shadow}" stroke-width="1.4"/>`;
}

function nose({ noseLong: n, noseWide: w, skin: [light, shadow] }: DrawnPerson): string {
  return `<path d="M -6 4 C -5 ${n * 0.5} ${-w} ${n * 0.7} ${-w} ${n - 4} C ${-w} ${n + 3} ${-w * 0.5} ${n + 3} ${-w * 0.4} ${n + 1} Q 0 ${n + 6} ${w * 0.4} ${n + 1} C ${w * 0.5} ${n + 3} ${w} ${n + 3} ${w} ${n - 4} C ${w} ${n * 0.7} 5 ${n * 0.5} 6 4" fill="${shadow}" fill-opacity="0.22"/>
<path d="M ${-w} ${n - 5} C ${-w - 1} ${n + 4} ${-w * 0.5} ${n + 3} ${-w * 0.4} ${n + 1} Q 0 ${n + 6} ${w * 0.4} ${n + 1} C ${w * 0.5} ${n + 3} ${w + 1} ${n + 4} ${w} ${n - 5}" fill="none" stroke="${shadow}" stroke-width="2"/>
<ellipse cx="${-w * 0.5}" cy="${n}" rx="${w * 0.22}" ry="1.9" fill="#2b140c"/><ellipse cx="${w * 0.5}" cy="${n}" rx="${w * 0.22}" ry="1.9" fill="#2b140c"/>
<path d="M -2.5 2 L -3.5 ${n * 0.75} Q 0 ${n * 0.9} 3.5 ${n * 0.75} L 2.5 2 Z" fill="${light}"/><ellipse cx="0" cy="${n * 0.82}" rx="${w * 0.36}" ry="5" fill="#fff" opacity="0.25"/>`;
}

/** Where the lips meet. */
const mouthAt = ({ noseLong, chin }: DrawnPerson) => noseLong + (chin - noseLong) * 0.42;

function mouth(p: DrawnPerson, state: 'open' | 'closed'): string {
  const { mouthWide: w, lipFull: f, lips } = p;
  const y = mouthAt(p);
  const gap = state === 'open' ? w * 0.85 : 0;
  const top = y - gap * 0.25;
  const low = y + gap * 0.75;
  const upper = `M ${-w} ${y} Q ${-w * 0.35} ${top - f * 1.3} 0 ${top - f * 0.8} Q ${w * 0.35} ${top - f * 1.3} ${w} ${y} Q 0 ${top + (gap ? -2 : 2)} ${-w} ${y} Z`;
  const lower = `M ${-w} ${y} Q 0 ${low + (gap ? gap * 0.55 : 2)} ${w} ${y} Q ${w * 0.5} ${low + f * 1.7 + gap * 0.4} 0 ${low + f * 1.5 + gap * 0.2} Q ${-w * 0.5} ${low + f * 1.7 + gap * 0.4} ${-w} ${y} Z`;
  const inside = gap
    ? `<path d="M ${-w} ${y} Q 0 ${top - 2} ${w} ${y} Q 0 ${low + gap * 0.6} ${-w} ${y} Z" fill="#2a0a0a"/><path d="M ${-w * 0.6} ${y - gap * 0.1} Q 0 ${top - 1} ${w * 0.6} ${y - gap * 0.1} Q 0 ${y + gap * 0.12} ${-w * 0.6} ${y - gap * 0.1} Z" fill="#f2eee6"/>`
    : `<path d="M ${-w} ${y} Q 0 ${y + 2.5} ${w} ${y}" fill="none" stroke="#4a1a18" stroke-width="1.8"/>`;
  return `<path d="${upper}" fill="${lips}"/><path d="${lower}" fill="${lips}"/>${inside}`;
}

function beard(p: DrawnPerson, colour: string): string {
  const { temple, jaw, chin, noseLong, mouthWide: w } = p;
  const y = mouthAt(p);
  return `<path d="M ${-temple + 1} 18 C ${-temple + 2} ${chin * 0.6} ${-jaw} ${chin * 0.84} ${-jaw * 0.55} ${chin * 0.97} C ${-jaw * 0.3} ${chin + 5} ${jaw * 0.3} ${chin + 5} ${jaw * 0.55} ${chin * 0.97} C ${jaw} ${chin * 0.84} ${temple - 2} ${chin * 0.6} ${temple - 1} 18 Q ${temple * 0.8} ${y - 4} ${w + 10} ${noseLong + 11} Q 0 ${noseLong + 3} ${-w - 10} ${noseLong + 11} Q ${-temple * 0.8} ${y - 4} ${1 - temple} 18 Z" fill="${colour}" opacity="0.72"/>`;
}

/** Lines of age on the forehead, beside nose and mouth, below the eyes; freckles. */
function skinMarks(p: DrawnPerson): string {
  const { wrinkles = 0, freckles = false, eyeApart, eyeWide, noseLong: n, noseWide, mouthWide, skin } = p;
  const y = mouthAt(p);
  const line = (d: string, width: number) =>
    `<path d="${d}" fill="none" stroke="${skin[1]}" stroke-width="${width}" opacity="${wrinkles}"/>`;
  const lines = [-1, 1].map(
    (side) =>
      line(
        `M ${side * (noseWide + 3)} ${n - 6} Q ${side * (mouthWide + 12)} ${y - 12} ${side * (mouthWide + 7)} ${y + 10}`,
        3.2,
      ) +
      line(
        `M ${side * (eyeApart - eyeWide)} 11 Q ${side * eyeApart} 20 ${side * (eyeApart + eyeWide)} 11`,
        2.4,
      ) +
      line(
        `M ${side * (eyeApart + eyeWide + 4)} -2 l ${side * 11} -6 m ${side * -11} 9 l ${side * 12} 2`,
        1.8,
      ),
  );
  const forehead = [-38, -47, -56].map((at) => line(`M -32 ${at} Q 0 ${at - 5} 32 ${at}`, 2.2));
  const spot = (i: number) =>
    `<circle cx="${((i * 37) % 90) - 45}" cy="${14 + ((i * 23) % 30)}" r="1.6" fill="${skin[1]}" opacity="0.7"/>`;
  const spots = freckles ? Array.from({ length: 34 }, (_, i) => spot(i)) : [];
  return [...(wrinkles > 0 ? [...lines, ...forehead] : []), ...spots].join('');
}

function glasses({ eyeApart, eyeWide, temple }: DrawnPerson, colour: string): string {
  const r = eyeWide * 1.45;
  const lens = (side: number) =>
    `<rect x="${side * eyeApart - r}" y="${-r * 0.75}" width="${2 * r}" height="${r * 1.6}" rx="8" fill="#fff" fill-opacity="0.06" stroke="${colour}" stroke-width="3.2"/>`;
  return `${lens(-1)}${lens(1)}<path d="M ${r - eyeApart} -4 Q 0 -9 ${eyeApart - r} -4 M ${-eyeApart - r} -5 L ${-temple - 2} -8 M ${eyeApart + r} -5 L ${temple + 2} -8" fill="none" stroke="${colour}" stroke-width="3"/>`;
}

function hair({ hair: colour, hairStyle, temple }: DrawnPerson): string {
  const t = temple;
  if (hairStyle === 'bald') return '';
  if (hairStyle === 'scarf') {
    return `<path d="M ${-t - 8} 60 C ${-t - 24} -70 -50 -108 0 -108 C 50 -108 ${t + 24} -70 ${t + 8} 60 C ${t + 2} -30 44 -62 0 -62 C -44 -62 ${-t - 2} -30 ${-t - 8} 60 Z" fill="${colour}"/>`;
  }
  if (hairStyle === 'afro') {
    return `<path d="M ${-t - 6} 10 C ${-t - 40} -60 -60 -124 0 -124 C 60 -124 ${t + 40} -60 ${t + 6} 10 C ${t} -44 50 -66 0 -66 C -50 -66 ${-t} -44 ${-t - 6} 10 Z" fill="${colour}"/>`;
  }
  if (hairStyle === 'fringe') {
    return `<path d="M ${-t - 7} 8 C ${-t - 20} -80 -50 -114 0 -114 C 50 -114 ${t + 20} -80 ${t + 7} 8 L ${t - 8} -30 L 30 -34 L 22 -28 L 6 -34 L -8 -28 L -24 -34 L ${8 - t} -28 Z" fill="${colour}"/>`;
  }
  return `<path d="M ${-t - 5} -2 C ${-t - 18} -76 -50 -112 0 -112 C 50 -112 ${t + 18} -76 ${t + 5} -2 C ${t} -30 ${t * 0.7} -58 12 -66 C -10 -56 ${-t * 0.8} -52 ${-t - 5} -2 Z" fill="${colour}"/>`;
}

/** Nobody sees through them. */
function sunglasses({ eyeApart, eyeWide, temple }: DrawnPerson): string {
  const lens = (side: number) =>
    `<rect x="${side * eyeApart - eyeWide * 1.45}" y="-12" width="${eyeWide * 2.9}" height="32" rx="13"/>`;
  return `<g fill="#15151a">${lens(-1)}${lens(1)}</g>
<path d="M ${-temple} 0 L ${temple} 0" stroke="#15151a" stroke-width="4"/>`;
}

function mask({ temple: t, jaw, chin, noseLong }: DrawnPerson): string {
  const top = noseLong * 0.45;
  return `<path d="M ${-t + 8} ${top + 14} Q 0 ${top - 16} ${t - 8} ${top + 14} C ${t - 4} ${chin * 0.7} ${jaw} ${chin} 0 ${chin + 6} C ${-jaw} ${chin} ${4 - t} ${chin * 0.7} ${8 - t} ${top + 14} Z" fill="#a9cfe4" stroke="#7fa9c2" stroke-width="2"/>
<path d="M ${-t + 12} ${top + 30} Q 0 ${top + 20} ${t - 12} ${top + 30} M ${-t + 16} ${top + 48} Q 0 ${top + 44} ${t - 16} ${top + 48} M ${-t + 24} ${chin - 14} Q 0 ${chin - 8} ${t - 24} ${chin - 14}" fill="none" stroke="#86b0c9" stroke-width="2.5"/>
<path d="M ${-t + 8} ${top + 16} L ${-t - 4} 2 M ${t - 8} ${top + 16} L ${t + 4} 2" stroke="#e8eef2" stroke-width="3"/>`;
}
