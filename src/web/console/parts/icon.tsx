/** Small pictures beside words, drawn with the colour of the text. */
const paths = {
  participants:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM2.5 20c.6-3.6 3.2-5.5 6.5-5.5s5.9 1.9 6.5 5.5M16 4.5a3.5 3.5 0 0 1 0 6.5M18 15c2 .7 3.2 2.4 3.6 5',
  query: 'M5 21V4M5 5h12l-2.5 4L17 13H5',
  down: 'm6 9.5 6 6 6-6',
  add: 'M12 5v14M5 12h14',
  close: 'M6 6l12 12M18 6 6 18',
  filter: 'M4 6h16M7 12h10M10 18h4',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.500 3.500 0 0 1 7 0v3',
  open: 'M5 12h14M13 6l6 6-6 6',
  ascending: 'M12 19V6M7 11l5-5 5 5',
  descending: 'M12 5v13M7 13l5 5 5-5',
  message: 'M3.5 5.5h17v13h-17zM4 6.5l8 6.500 8-6.500',
  clock: 'M12 3.500a8.500 8.500 0 1 0 0 17 8.500 8.500 0 0 0 0-17zM12 7.500V12l3 2',
  studies: 'M4 7.5 12 3.5l8 4v9l-8 4-8-4zM4 7.5l8 4 8-4M12 11.5v9',
  forms: 'M4 5h16v4H4zM4 12h9v7H4zM16 12h4v7h-4z',
  answers: 'M4 5h16M4 10h10M4 15h7M4 20h5M14 17.5l2.5 2.5 4.5-6',
  site: 'M4 20V6.5L11 4v16M11 9h9v11M3 20h18M7 9h1M7 13h1M15 13h1M15 16.5h1',
} as const

export type IconName = keyof typeof paths

export const Icon = ({ name }: { name: IconName }) => (
  <svg class="i" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d={paths[name]} />
  </svg>
)
