/** Icons of the room. They have no words: beside each is a text, or its button has a name. */
const SLASH = 'M4 4l16 16'
const MICROPHONE = 'M12 3.5a3 3 0 00-3 3v5a3 3 0 006 0v-5a3 3 0 00-3-3zM6 11a6 6 0 0012 0M12 17v3.500M9 20.500h6'
const CAMERA = 'M3.500 7h11v10h-11zM14.500 11l6-3.500v9l-6-3.500'
const paths = {
  microphone: MICROPHONE,
  microphoneOff: `${MICROPHONE}${SLASH}`,
  camera: CAMERA,
  cameraOff: `${CAMERA}${SLASH}`,
  screen: 'M3.500 5h17v11h-17zM9 20h6M12 16v4M12 13V8.500M9.500 10.500L12 8l2.500 2.500',
  chat: 'M4 5h16v11h-9l-4.500 4v-4H4z',
  settings: 'M4 7h9M17 7h3M4 12h3M11 12h9M4 17h9M17 17h3M15 5v4M9 10v4M15 15v4',
  leave: 'M14 4.500H5v15h9M10 12h10M16.500 8.500L20 12l-3.500 3.500',
  remove:
    'M10 4.500a3.500 3.500 0 100 7 3.500 3.500 0 000-7zM3.500 20c.4-3.700 3-5.500 6.500-5.500 1.500 0 2.800.3 3.900 1M16 15l5 5M21 15l-5 5',
} as const

export type RoomIconName = keyof typeof paths

export const RoomIcon = ({ name }: { name: RoomIconName }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d={paths[name]} />
  </svg>
)
