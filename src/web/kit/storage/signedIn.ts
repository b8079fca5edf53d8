/** Where the app keeps who is signed in on this device: its database, the store, and the key. */
export const DATABASE = 'trialbox'
export const OWN = 'own'
export const PERSON = 'person'
