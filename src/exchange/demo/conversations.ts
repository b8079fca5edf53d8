/** What participants of the demo study and the team write to each other, in the days before somebody asks for the demo. */

type ConversationLine = {
  by: 'participant' | 'user'
  /** How long before the demo was asked for. */
  hoursAgo: number
  text: string
}

/** Each by its name, oldest line first. Who writes has read what is above; the last line of a participant is unread. */
export const conversations = {
  visit: [
    { by: 'participant', hoursAgo: 75, text: 'May I come to my second visit an hour later?' },
    { by: 'user', hoursAgo: 70, text: 'Yes, at eleven. Please bring your inhaler with you.' },
    { by: 'participant', hoursAgo: 52, text: 'Thank you!' },
    { by: 'user', hoursAgo: 46, text: 'See you on the day.' },
  ],
  meter: [
    { by: 'user', hoursAgo: 120, text: 'Has your new peak flow meter arrived?' },
    { by: 'participant', hoursAgo: 118, text: 'Yes, yesterday. The numbers are higher than with the old one.' },
    { by: 'user', hoursAgo: 99, text: 'That is usual. Please use only the new one from now on.' },
  ],
  inhaler: [
    { by: 'participant', hoursAgo: 31, text: 'I lost my reliever on the train. What shall I do?' },
    { by: 'user', hoursAgo: 30, text: 'The practice has a new one for you: come by today if you can.' },
    { by: 'participant', hoursAgo: 5, text: 'I have it. Do I note the two days without it in the diary?' },
  ],
  holiday: [
    { by: 'participant', hoursAgo: 9, text: 'I am abroad next week, perhaps without internet.' },
    { by: 'participant', hoursAgo: 8, text: 'Can I fill in the diary afterwards?' },
  ],
} satisfies Record<string, readonly ConversationLine[]>

export type Conversation = keyof typeof conversations
