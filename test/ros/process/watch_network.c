/* Preloaded into a process: writes who it looks up and connects to into the file WATCH_NETWORK. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

static void note(const char *what, const char *whom) {
  FILE *file = fopen(getenv("WATCH_NETWORK"), "a");
  if (!file) return;
  fprintf(file, "%s %s\n", what, whom ? whom : "(none)");
  fclose(file);
}

int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints,
                struct addrinfo **found) {
  int (*real)(const char *, const char *, const struct addrinfo *, struct addrinfo **) =
      dlsym(RTLD_NEXT, "getaddrinfo");
  note("looked up", name);
  return real(name, service, hints, found);
}

int connect(int file, const struct sockaddr *to, socklen_t length) {
  int (*real)(int, const struct sockaddr *, socklen_t) = dlsym(RTLD_NEXT, "connect");
  char text[INET6_ADDRSTRLEN] = "";
  if (to->sa_family == AF_INET)
    inet_ntop(AF_INET, &((const struct sockaddr_in *)to)->sin_addr, text, sizeof text);
  if (to->sa_family == AF_INET6)
    inet_ntop(AF_INET6, &((const struct sockaddr_in6 *)to)->sin6_addr, text, sizeof text);
  if (text[0]) note("connected to", text);
  return real(file, to, length);
}
