import { speaking } from '#web/ui/components'
import type { Speaker } from './texts'

export const { Provider: MeetingSpeaking, use: useSpeaker } = speaking<Speaker>()
