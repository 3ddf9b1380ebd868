import type { Claim, Language } from './claim-words.ts';

/** What the ledger says about a claim that no finished call proves: nothing was done, or nobody knows. */
export type Fact = 'not-done' | 'not-known';

/** A time that is free. */
export interface FreeTime {
  /** Local times with their offset: `2026-11-25T14:00:00+01:00`. */
  readonly start: string;
  readonly end: string;
}

/** Free times of the calendar and their zone; undefined where it could not be read. */
export type FreeTimes = { readonly timeZone: string; readonly slots: readonly FreeTime[] } | undefined;

interface Truths {
  readonly locale: string;
  readonly facts: Readonly<Record<Claim, Readonly<Record<Fact, string>>>>;
  /** A mail that was not sent, where a draft of it was saved. */
  readonly draft: string;
  readonly free: (timeZone: string) => string;
  readonly noneFree: string;
  readonly freeNotKnown: string;
}

const TRUTHS: Readonly<Record<Language, Truths>> = {
  en: {
    locale: 'en-GB',
    facts: {
      'meeting-scheduled': {
        'not-done': 'No event has been added to the calendar in this conversation.',
        'not-known': 'It is not known whether an event was added to the calendar.',
      },
      'reminder-set': {
        'not-done': 'No reminder has been set in this conversation.',
        'not-known': 'It is not known whether a reminder was set.',
      },
      'mail-sent': {
        'not-done': 'No mail has been sent in this conversation.',
        'not-known': 'It is not known whether a mail was sent.',
      },
      'file-written': {
        'not-done': 'No file has been written in this conversation.',
        'not-known': 'It is not known whether a file was written.',
      },
    },
    draft: 'There is only a draft.',
    free: (zone) => `These times are free (${zone}):`,
    noneFree: 'The calendar has no free time in the next seven days.',
    freeNotKnown: 'Which times are free is not known: the calendar could not be read.',
  },
  de: {
    locale: 'de-DE',
    facts: {
      'meeting-scheduled': {
        'not-done': 'In diesem Gespräch wurde kein Termin in den Kalender eingetragen.',
        'not-known': 'Ob ein Termin in den Kalender eingetragen wurde, ist nicht bekannt.',
      },
      'reminder-set': {
        'not-done': 'In diesem Gespräch wurde keine Erinnerung eingerichtet.',
        'not-known': 'Ob eine Erinnerung eingerichtet wurde, ist nicht bekannt.',
      },
      'mail-sent': {
        'not-done': 'In diesem Gespräch wurde keine Mail gesendet.',
        'not-known': 'Ob eine Mail gesendet wurde, ist nicht bekannt.',
      },
      'file-written': {
        'not-done': 'In diesem Gespräch wurde keine Datei geschrieben.',
        'not-known': 'Ob eine Datei geschrieben wurde, ist nicht bekannt.',
      },
    },
    draft: 'Es gibt nur einen Entwurf.',
    free: (zone) => `Diese Zeiten sind frei (${zone}):`,
    noneFree: 'In den nächsten sieben Tagen ist im Kalender keine Zeit frei.',
    freeNotKnown: 'Welche Zeiten frei sind, ist nicht bekannt: der Kalender war nicht lesbar.',
  },
  fr: {
    locale: 'fr-FR',
    facts: {
      'meeting-scheduled': {
        'not-done': "Aucun événement n'a été ajouté au calendrier dans cette conversation.",
        'not-known': 'On ne sait pas si un événement a été ajouté au calendrier.',
      },
      'reminder-set': {
        'not-done': "Aucun rappel n'a été créé dans cette conversation.",
        'not-known': 'On ne sait pas si un rappel a été créé.',
      },
      'mail-sent': {
        'not-done': "Aucun mail n'a été envoyé dans cette conversation.",
        'not-known': 'On ne sait pas si un mail a été envoyé.',
      },
      'file-written': {
        'not-done': "Aucun fichier n'a été écrit dans cette conversation.",
        'not-known': 'On ne sait pas si un fichier a été écrit.',
      },
    },
    draft: "Il n'y a qu'un brouillon.",
    free: (zone) => `Ces créneaux sont libres (${zone}) :`,
    noneFree: "Le calendrier n'a aucun créneau libre dans les sept prochains jours.",
    freeNotKnown: "Les créneaux libres ne sont pas connus : le calendrier n'a pas pu être lu.",
  },
  es: {
    locale: 'es-ES',
    facts: {
      'meeting-scheduled': {
        'not-done': 'En esta conversación no se ha añadido ningún evento al calendario.',
        'not-known': 'No se sabe si se ha añadido un evento al calendario.',
      },
      'reminder-set': {
        'not-done': 'En esta conversación no se ha creado ningún recordatorio.',
        'not-known': 'No se sabe si se ha creado un recordatorio.',
      },
      'mail-sent': {
        'not-done': 'En esta conversación no se ha enviado ningún correo.',
        'not-known': 'No se sabe si se ha enviado un correo.',
      },
      'file-written': {
        'not-done': 'En esta conversación no se ha escrito ningún archivo.',
        'not-known': 'No se sabe si se ha escrito un archivo.',
      },
    },
    draft: 'Solo hay un borrador.',
    free: (zone) => `Estas horas están libres (${zone}):`,
    noneFree: 'El calendario no tiene ninguna hora libre en los próximos siete días.',
    freeNotKnown: 'No se sabe qué horas están libres: no se ha podido leer el calendario.',
  },
};

/** The sentence that stands in place of a claim. */
export function truthOf(language: Language, claim: Claim, fact: Fact, hasDraft: boolean): string {
  const { facts, draft } = TRUTHS[language];
  return claim === 'mail-sent' && fact === 'not-done' && hasDraft
    ? `${facts[claim][fact]} ${draft}`
    : facts[claim][fact];
}

/** Free times as a list, or that there are none, or that they are not known. */
export function freeTimesText(language: Language, times: FreeTimes): string {
  const { locale, free, noneFree, freeNotKnown } = TRUTHS[language];
  if (times === undefined) return freeNotKnown;
  const { timeZone, slots } = times;
  if (slots.length === 0) return noneFree;
  const format = new Intl.DateTimeFormat(locale, {
    ...{ timeZone, weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
    ...{ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  });
  const lines = slots.map(({ start, end }) => `- ${format.formatRange(new Date(start), new Date(end))}`);
  return [free(timeZone), ...lines].join('\n');
}
