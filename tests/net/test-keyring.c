/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ear-keyring.h"

#include "secret-service.h"

#include <libsecret/secret.h>

#define PODCAST "https://example.org/feed?token=hidden"
#define ADDRESS "https://example.org/feed?token=hidden"

static GTestDBus *bus;
static SecretService *service;

typedef struct
{
  gboolean done;
  EarLogin *login;
  GError *error;
} Answer;

static void
answer_clear (Answer *answer)
{
  g_clear_pointer (&answer->login, ear_login_free);
  g_clear_error (&answer->error);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Answer, answer_clear)

static void
found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Answer *answer = user_data;

  answer->login = ear_keyring_find_finish (EAR_KEYRING (source), result, &answer->error);
  answer->done = TRUE;
}

static void
wait_for (Answer *answer)
{
  while (!answer->done)
    g_main_context_iteration (NULL, TRUE);
}

static char *
find (EarKeyring *keyring, const char *podcast, const char *address)
{
  g_auto (Answer) answer = { 0 };

  ear_keyring_find_async (keyring, podcast, address, NULL, found_cb, &answer);
  wait_for (&answer);
  g_assert_no_error (answer.error);

  return answer.login != NULL ? g_strjoin (" ", answer.login->user, answer.login->password, NULL) : NULL;
}

static void
count_cb (guint *count)
{
  (*count)++;
}

static gboolean
keep (EarKeyring *keyring, const char *podcast, const char *address, const char *user, const char *password)
{
  g_autoptr (EarLogin) login = ear_login_new (user, password);
  guint n_not_stored = 0;

  g_signal_connect_swapped (keyring, "not-stored", G_CALLBACK (count_cb), &n_not_stored);
  ear_keyring_keep (keyring, podcast, address, login);
  g_assert_nonnull (ear_keyring_peek (keyring, podcast, address));
  /* Storing holds a reference. */
  while (G_OBJECT (keyring)->ref_count > 1)
    g_main_context_iteration (NULL, TRUE);
  g_signal_handlers_disconnect_by_data (keyring, &n_not_stored);

  return n_not_stored == 0;
}

#define assert_login(keyring, podcast, address, expected)          \
  G_STMT_START                                                     \
    {                                                              \
      g_autofree char *login_ = find (keyring, podcast, address);  \
      g_assert_cmpstr (login_, ==, expected);                      \
    }                                                              \
  G_STMT_END

static void
test_kept (void)
{
  g_autoptr (EarKeyring) first = ear_keyring_new ();
  g_autoptr (EarKeyring) second = ear_keyring_new ();
  g_autofree char *described = NULL;

  g_assert_null (ear_keyring_peek (first, PODCAST, ADDRESS));
  assert_login (first, PODCAST, ADDRESS, NULL);
  g_assert_true (keep (first, PODCAST, ADDRESS, "listener", "se:cret"));
  assert_login (first, PODCAST, ADDRESS, "listener se:cret");
  g_assert_cmpstr (ear_keyring_peek (first, PODCAST, ADDRESS)->user, ==, "listener");

  /* Another session finds it again, and asks only once. */
  g_assert_null (ear_keyring_peek (second, PODCAST, ADDRESS));
  assert_login (second, PODCAST, ADDRESS, "listener se:cret");
  g_assert_cmpstr (ear_keyring_peek (second, PODCAST, "http://EXAMPLE.org/other")->password, ==, "se:cret");

  /* The public attributes contain no secret. */
  described = secret_service_stand_in_describe (service);
  g_assert_nonnull (strstr (described, "example.org"));
  g_assert_null (strstr (described, "hidden"));
  g_assert_null (strstr (described, "se:cret"));
  g_assert_null (strstr (described, "listener"));
}

/* A login belongs to one podcast and one server. */
static void
test_apart (void)
{
  g_autoptr (EarKeyring) keyring = ear_keyring_new ();

  g_assert_true (keep (keyring, PODCAST, ADDRESS, "listener", "secret"));
  assert_login (keyring, PODCAST, "https://example.com/feed", NULL);
  assert_login (keyring, PODCAST, "https://example.org:8443/feed", NULL);
  assert_login (keyring, PODCAST, "https://cdn.example.org/1.mp3", NULL);
  assert_login (keyring, "https://example.org/other", "https://example.org/other", NULL);
}

static void
test_changed (void)
{
  g_autoptr (EarKeyring) first = ear_keyring_new ();
  g_autoptr (EarKeyring) second = ear_keyring_new ();
  guint before;

  g_assert_true (keep (first, PODCAST, ADDRESS, "listener", "old"));
  before = secret_service_stand_in_count (service);
  g_assert_true (keep (first, PODCAST, ADDRESS, "somebody", "new"));
  g_assert_cmpuint (secret_service_stand_in_count (service), ==, before);
  assert_login (first, PODCAST, ADDRESS, "somebody new");
  assert_login (second, PODCAST, ADDRESS, "somebody new");
}

/* A new login is stored only after the server has accepted it. */
static void
test_tried (void)
{
  g_autoptr (EarKeyring) first = ear_keyring_new ();
  g_autoptr (EarKeyring) second = ear_keyring_new ();
  g_autoptr (EarLogin) right = ear_login_new ("listener", "right");
  g_autoptr (EarLogin) wrong = ear_login_new ("listener", "wrong");
  const char *podcast = "https://example.org/tried";
  const guint n_kept = secret_service_stand_in_count (service);

  ear_keyring_try (first, podcast, podcast, wrong);
  g_assert_cmpstr (ear_keyring_peek (first, podcast, podcast)->password, ==, "wrong");
  assert_login (first, podcast, podcast, "listener wrong");
  ear_keyring_judge (first, podcast, podcast, "listener", "wrong", FALSE);
  assert_login (first, podcast, podcast, NULL);

  ear_keyring_try (first, podcast, podcast, right);
  /* Results of other requests */
  ear_keyring_judge (first, podcast, podcast, NULL, NULL, TRUE);
  ear_keyring_judge (first, podcast, podcast, "listener", "wrong", FALSE);
  ear_keyring_judge (first, podcast, "https://cdn.example.org/1.mp3", "listener", "right", FALSE);
  g_assert_cmpuint (secret_service_stand_in_count (service), ==, n_kept);
  ear_keyring_judge (first, podcast, podcast, "listener", "right", TRUE);
  while (secret_service_stand_in_count (service) == n_kept)
    g_main_context_iteration (NULL, TRUE);

  /* A wrong login replaces the correct one only until it is rejected. */
  ear_keyring_try (first, podcast, podcast, wrong);
  assert_login (first, podcast, podcast, "listener wrong");
  ear_keyring_judge (first, podcast, podcast, "listener", "wrong", FALSE);
  assert_login (first, podcast, podcast, "listener right");
  assert_login (second, podcast, podcast, "listener right");

  /* Forgetting a podcast also drops its trial login. */
  ear_keyring_try (first, podcast, podcast, wrong);
  ear_keyring_forget (first, podcast);
  g_assert_null (ear_keyring_peek (first, podcast, podcast));
  while (secret_service_stand_in_count (service) > n_kept)
    g_main_context_iteration (NULL, TRUE);
}

static void
test_not_stored (void)
{
  g_autoptr (EarKeyring) keyring = ear_keyring_new ();
  g_autoptr (EarLogin) login = ear_login_new ("listener", "secret");
  const char *podcast = "https://example.org/not-stored";
  guint count = 0;

  g_signal_connect_swapped (keyring, "not-stored", G_CALLBACK (count_cb), &count);
  secret_service_stand_in_refuse (service, TRUE);
  ear_keyring_try (keyring, podcast, podcast, login);
  ear_keyring_judge (keyring, podcast, podcast, "listener", "secret", TRUE);
  while (count == 0)
    g_main_context_iteration (NULL, TRUE);
  secret_service_stand_in_refuse (service, FALSE);
  assert_login (keyring, podcast, podcast, "listener secret");
}

static void
test_asked_once (void)
{
  g_autoptr (EarKeyring) keyring = ear_keyring_new ();
  guint before = secret_service_stand_in_n_searches (service);

  for (guint i = 0; i < 5; i++)
    assert_login (keyring, "https://example.org/none", "https://example.org/none", NULL);
  g_assert_cmpuint (secret_service_stand_in_n_searches (service), ==, before + 1);
}

/* A locked keyring is like none: logins work, and the problem is reported. */
static void
test_refused (void)
{
  g_autoptr (EarKeyring) first = ear_keyring_new ();
  g_autoptr (EarKeyring) second = ear_keyring_new ();

  secret_service_stand_in_refuse (service, TRUE);
  assert_login (first, "https://example.org/locked", "https://example.org/locked", NULL);
  g_assert_false (keep (first, "https://example.org/locked", "https://example.org/locked", "listener", "secret"));
  assert_login (first, "https://example.org/locked", "https://example.org/locked", "listener secret");
  secret_service_stand_in_refuse (service, FALSE);
  assert_login (second, "https://example.org/locked", "https://example.org/locked", NULL);
}

/* A keyring that opens later, as at the start of a session, is asked again. */
static void
test_late (void)
{
  g_autoptr (EarKeyring) keyring = ear_keyring_new ();
  g_autoptr (EarKeyring) other = ear_keyring_new ();
  const char *podcast = "https://example.org/late";

  g_assert_true (keep (other, podcast, podcast, "listener", "secret"));
  secret_service_stand_in_refuse (service, TRUE);
  assert_login (keyring, podcast, podcast, NULL);
  secret_service_stand_in_refuse (service, FALSE);
  assert_login (keyring, podcast, podcast, "listener secret");
}

static void
test_cancelled (void)
{
  g_autoptr (EarKeyring) keyring = ear_keyring_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_auto (Answer) answer = { 0 };

  ear_keyring_find_async (keyring, "https://example.org/a", "https://example.org/a", cancellable, found_cb, &answer);
  g_cancellable_cancel (cancellable);
  wait_for (&answer);
  g_assert_error (answer.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  /* A canceled lookup is not remembered as missing. */
  g_assert_true (keep (keyring, "https://example.org/a", "https://example.org/a", "listener", "secret"));
  assert_login (keyring, "https://example.org/a", "https://example.org/a", "listener secret");
}

/* Runs last: the service disappears during the session. */
static void
test_gone (void)
{
  g_autoptr (EarKeyring) keyring = ear_keyring_new ();

  g_clear_pointer (&service, secret_service_stand_in_free);
  assert_login (keyring, "https://example.org/gone", "https://example.org/gone", NULL);
  g_assert_false (keep (keyring, "https://example.org/gone", "https://example.org/gone", "listener", "secret"));
  assert_login (keyring, "https://example.org/gone", "https://example.org/gone", "listener secret");
}

/* Deletes all logins of one podcast and no others, in this and another session. */
static void
test_forgotten (void)
{
  g_autoptr (EarKeyring) first = ear_keyring_new ();
  g_autoptr (EarKeyring) second = ear_keyring_new ();
  guint n_kept;
  const char *podcast = "https://example.org/forgotten";

  g_assert_true (keep (first, podcast, podcast, "listener", "secret"));
  g_assert_true (keep (first, podcast, "https://cdn.example.org/1.mp3", "listener", "other"));
  g_assert_true (keep (first, PODCAST, ADDRESS, "listener", "stays"));
  assert_login (second, podcast, podcast, "listener secret");
  n_kept = secret_service_stand_in_count (service);
  ear_keyring_forget (first, podcast);
  g_assert_null (ear_keyring_peek (first, podcast, podcast));
  while (secret_service_stand_in_count (service) > n_kept - 2)
    g_main_context_iteration (NULL, TRUE);
  assert_login (first, podcast, podcast, NULL);
  assert_login (first, podcast, "https://cdn.example.org/1.mp3", NULL);
  assert_login (first, PODCAST, ADDRESS, "listener stays");

  /* Forgetting a podcast without logins is not an error. */
  ear_keyring_forget (first, podcast);
  assert_login (second, PODCAST, ADDRESS, "listener stays");
}

int
main (int argc, char *argv[])
{
  int status;

  g_setenv ("SECRET_BACKEND", "service", TRUE);
  g_test_init (&argc, &argv, NULL);
  bus = g_test_dbus_new (G_TEST_DBUS_NONE);
  g_test_dbus_up (bus);
  service = secret_service_stand_in_new (g_test_dbus_get_bus_address (bus));
  g_test_add_func ("/keyring/kept", test_kept);
  g_test_add_func ("/keyring/apart", test_apart);
  g_test_add_func ("/keyring/changed", test_changed);
  g_test_add_func ("/keyring/tried", test_tried);
  g_test_add_func ("/keyring/not-stored", test_not_stored);
  g_test_add_func ("/keyring/asked-once", test_asked_once);
  g_test_add_func ("/keyring/refused", test_refused);
  g_test_add_func ("/keyring/late", test_late);
  g_test_add_func ("/keyring/cancelled", test_cancelled);
  g_test_add_func ("/keyring/forgotten", test_forgotten);
  g_test_add_func ("/keyring/gone", test_gone);
  status = g_test_run ();

  /* libsecret never releases the bus, so it cannot be shut down properly; it ends with
   * this program. */
  g_clear_pointer (&service, secret_service_stand_in_free);
  secret_service_disconnect ();

  return status;
}
