/** The marks on top of the state of a form or of a field: by shape and colour, with their word for readers. */
const shapes = {
  query: 'M5 21V4M5 5h12l-2.5 4L17 13H5',
  answered: 'M5 21V4M5 5h12l-2.5 4L17 13H5',
  verified: 'm2.5 12.5 4 4 8-9M10.5 15l1.5 1.5 8-9',
  signed: 'M4 20l1-4L16 5l3 3L8 19l-4 1ZM13.5 7.5l3 3',
  locked: 'M6 11h12v9H6zM8.5 11V8a3.500 3.500 0 0 1 7 0v3',
  partial: 'M12 4 2.5 20h19zM12 10v4.5M12 17.2v.1',
} as const

export type MarkName = keyof typeof shapes

/** @param label its word; empty beside that word */
export const Mark = ({ name, label }: { name: MarkName; label: string }) =>
  label ? (
    <svg class={`i m-${name}`} viewBox="0 0 24 24" role="img" aria-label={label}>
      <path d={shapes[name]} />
    </svg>
  ) : (
    <svg class={`i m-${name}`} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={shapes[name]} />
    </svg>
  )
