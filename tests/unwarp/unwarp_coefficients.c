/* SPDX-License-Identifier: BSD-3-Clause */
/* Siemens's text of coefficients, and what is refused of it. */
#include "harness.h"
#include <unistd.h>

#define HEAD "#*[ Script\n 0.250 m = R0, lnorm = 4? A(1,0) = B(1,1) = A(1,1) = 0;\n 0 = CoSyMode;\n\n"

static argand_status read_text(argand_gradient_coefficients **c, const char *text)
{
    char path[64];
    snprintf(path, sizeof path, "coefficients-%ld.grad", (long)getpid());
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    const argand_status status = argand_gradient_coefficients_read(c, path);
    remove(path);
    return status;
}

static void read_whole(void **state)
{
    (void)state;
    argand_gradient_coefficients *c;
    OK(read_text(&c, HEAD " NO.   TYPE   SPECTRUM   AXIS\r\n   1   A( 3, 0)  -0.07834  z\r\n"
                          " 101 A(11, 9) 1.5e-3 x\n 201\tB ( 5 , 3 )\t0.25\ty\n#*] END: */\n"));
    assert_int_equal(c->count, 3);
    assert_true(c->radius == 250);
    const argand_gradient_term *t = c->terms;
    assert_true(t[0].axis == 2 && !t[0].sine && t[0].n == 3 && t[0].m == 0 && t[0].value == -0.07834);
    assert_true(t[1].axis == 0 && !t[1].sine && t[1].n == 11 && t[1].m == 9 && t[1].value == 0.0015);
    assert_true(t[2].axis == 1 && t[2].sine && t[2].n == 5 && t[2].m == 3 && t[2].value == 0.25);
    argand_gradient_coefficients_destroy(c);
}

static void refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {{"", "holds no coefficients"},
                 {"alpha_x 3 1 0.5\n", "Other vendors' files are not read"},
                 {HEAD, "holds no coefficients"},
                 {" 1 A(3,0) 0.1 z\n", "does not state the radius"},
                 {HEAD " 1 A(3,4) 0.1 z\n", "line 5 is no coefficient"},
                 {HEAD " 1 A(31,4) 0.1 z\n", "n <= 30"},
                 {HEAD " 1 A(3,0) 0.1 q\n", "line 5 is no coefficient"},
                 {HEAD " 1 A(3,0) z\n", "line 5 is no coefficient"},
                 {HEAD " 1 A(3,0) nan z\n", "line 5 is no coefficient"},
                 {HEAD " 1 A(3,0) 0.1 z\n 2 A(3,0) 0.2 z\n", "A(3,0) of z a second time"},
                 {HEAD " 1 A(1,0) 1.0 z\n", "describes the field"},
                 {" 0.25 m = R0, lnorm = 2\n 1 A(3,0) 0.1 z\n", "lnorm = 2"}};
    argand_gradient_coefficients *c;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        FAILS(read_text(&c, cases[i].text), ARGAND_FORMAT, cases[i].message);
        assert_null(c);
    }
    FAILS(argand_gradient_coefficients_read(&c, "nothing.grad"), ARGAND_FILE, "nothing.grad");
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(read_whole), cmocka_unit_test(refused)};

RUN_TESTS(tests)
