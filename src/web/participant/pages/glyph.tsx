/** Icons that only the app has. Like those of all pages they have no words: beside each is a text, or its button has a name. */
import { GLOBE } from '#web/kit/page/page'

const paths = {
  today: 'M5 5h14v15H5zM8.5 12.5l2.5 2.5 4.5-5M8 3v3M16 3v3',
  messages: 'M4 5h16v11h-9l-4.5 4v-4H4z',
  calendar: 'M4 6h16v14H4zM4 10.5h16M8 3.5v4M16 3.5v4',
  more: 'M5 7h14M5 12h14M5 17h14',
  refresh: 'M19.5 11a7.5 7.5 0 10-1.6 5.6M19.5 5v6h-6',
  next: 'M9 5l7 7-7 7',
  clock: 'M12 3.5a8.5 8.5 0 100 17 8.5 8.5 0 000-17zM12 7.5V12l3 2',
  offline: 'M3 3l18 18M7 10a6 6 0 00-1 9.5h11M10 6.5A6 6 0 0117.5 11a4.5 4.5 0 013 7',
  send: 'M4 12L20 4l-5 16-4-6.5z',
  clip: 'M8 12.5l6-6a3 3 0 014.3 4.3l-7.8 7.8a5 5 0 01-7-7L11 4',
  file: 'M6 3.5h8l4 4v13H6zM14 3.5v4h4',
  play: 'M8 5l11 7-11 7z',
  link: 'M10 14a4 4 0 005.7 0l3-3A4 4 0 0013 5.300l-1 1M14 10a4 4 0 00-5.7 0l-3 3A4 4 0 0011 18.700l1-1',
  book: 'M12 6c-2-1.500-5-2-8-2v14c3 0 6 .5 8 2 2-1.500 5-2 8-2V4c-3 0-6 .5-8 2zM12 6v14',
  food: 'M7 3v7a2.500 2.500 0 005 0V3M9.500 3v18M17 21v-8c-2 0-2.500-2-2.500-4.500S15.500 3 17 3z',
  watch: 'M12 7a5 5 0 100 10 5 5 0 000-10zM9 7l.7-4h4.600L15 7M9 17l.7 4h4.600l.7-4M12 9.500V12l1.500 1',
  gift: 'M4 9h16v4H4zM5.500 13v7.500h13V13M12 9v11.500M12 9S8 9 8 6.500 11.500 4 12 9zM12 9s4 0 4-2.500S12.500 4 12 9z',
  person: 'M12 4a4 4 0 100 8 4 4 0 000-8zM4.500 20.500c.5-4 3.500-6 7.500-6s7 2 7.500 6',
  bell: 'M6 17V11a6 6 0 0112 0v6l1.500 1.500h-15zM10 21h4',
  phone: 'M7 3h10v18H7zM11 18h2',
  video: 'M3.500 7h11v10h-11zM14.500 11l6-3.500v9l-6-3.500',
  done: 'M12 3.500a8.500 8.500 0 100 17 8.500 8.500 0 000-17zM8 12.300l2.800 2.700L16 9.500',
  globe: GLOBE,
  pen: 'M5 19l1-4L16.500 4.500l3 3L9 18zM14 7l3 3',
} as const

export type GlyphName = keyof typeof paths

/** `isMirrored`: it points in the direction of reading. */
export const Glyph = ({ name, isMirrored }: { name: GlyphName; isMirrored?: boolean }) => (
  <svg class={isMirrored ? 'icon mirrored' : 'icon'} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d={paths[name]} />
  </svg>
)
