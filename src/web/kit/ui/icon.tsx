/** Icons are drawn with the colour of the text. They have no words: beside each is a text, or its button has a name. */
const paths = {
  check: 'M5 12.5l4.5 4.5L19 7.5',
  close: 'M6 6l12 12M18 6L6 18',
  warning: 'M12 4l9 16H3zM12 10v4.5M12 17.4v.1',
  fault: 'M12 3a9 9 0 100 18 9 9 0 000-18zM12 7.5v5.5M12 16.2v.1',
  info: 'M12 3a9 9 0 100 18 9 9 0 000-18zM12 11v5.5M12 7.8v.1',
  success: 'M12 3a9 9 0 100 18 9 9 0 000-18zM8 12.3l2.8 2.7L16 9.5',
  key: 'M8 11a4 4 0 100 8 4 4 0 000-8zM11 12l8-8M16 7l2.5 2.5M19 4l1.5 1.5',
  inbox: 'M4 13l3-8h10l3 8v6H4zM4 13h4.5l1.5 2.5h4l1.5-2.5H20',
  show: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 9a3 3 0 100 6 3 3 0 000-6z',
  hide: 'M4 4l16 16M9.9 5.8A9 9 0 0112 5.5c6 0 9.5 6.5 9.5 6.5a17 17 0 01-3 3.7M6.3 7.6A16 16 0 002.5 12S6 18.5 12 18.5a9 9 0 004.4-1.2M10 10a3 3 0 004 4.1',
} as const

export type IconName = keyof typeof paths

export const iconNames = Object.keys(paths) as IconName[]

export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d={paths[name]} />
  </svg>
)
