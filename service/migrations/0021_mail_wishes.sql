-- Mails also have a form (picture, html or text) and a language. What a person usually wants has no match, and the account as its seat.
ALTER TABLE mail_seats ADD COLUMN form TEXT NOT NULL DEFAULT 'picture';
ALTER TABLE mail_seats ADD COLUMN language TEXT NOT NULL DEFAULT 'en';
